package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.spring.id.IdOf;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A photo in responses. In JSON its ids are text, because JavaScript's numbers have 53 bits.
 *
 * @param id the id of the photo
 * @param text the short text form of its id, for links
 * @param author the id of the author
 * @param authorName the name of the author
 * @param caption the caption
 * @param location the name of the location where it was taken, or null
 * @param createdAt when it was posted, from the id
 * @param likes the number of likes
 * @param comments the number of comments
 * @param liked whether the current user likes it
 */
record PhotoView(
        @IdOf(Photo.class) long id,
        String text,
        @IdOf(User.class) long author,
        String authorName,
        String caption,
        @Nullable String location,
        Instant createdAt,
        long likes,
        long comments,
        boolean liked) {}
