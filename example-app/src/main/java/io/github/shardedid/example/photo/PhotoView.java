package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.spring.id.IdOf;
import java.time.Instant;

/**
 * A photo as clients see one. In JSON its ids are texts, since JavaScript's numbers have 53 bits.
 *
 * @param id the photo
 * @param text the short text form of its id, for links
 * @param author the id of who posted it
 * @param authorName the name of who posted it
 * @param caption what is to be seen
 * @param createdAt when it was posted, as the id says
 * @param likes how many users like it
 * @param comments how many comments it has
 * @param liked whether the user who looks is among them
 */
record PhotoView(
        @IdOf(Photo.class) long id,
        String text,
        @IdOf(User.class) long author,
        String authorName,
        String caption,
        Instant createdAt,
        long likes,
        long comments,
        boolean liked) {}
