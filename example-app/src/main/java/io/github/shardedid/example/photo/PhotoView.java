package io.github.shardedid.example.photo;

import java.time.Instant;

/**
 * A photo as clients see one. Ids are texts, since JavaScript's numbers have 53 bits.
 *
 * @param id the decimal form of the id
 * @param text its short text form, for links
 * @param author the id of who posted it
 * @param authorName the name of who posted it
 * @param caption what is to be seen
 * @param createdAt when it was posted, as the id says
 * @param likes how many users like it
 * @param comments how many comments it has
 * @param liked whether the user who looks is among them
 */
record PhotoView(
        String id,
        String text,
        String author,
        String authorName,
        String caption,
        Instant createdAt,
        long likes,
        long comments,
        boolean liked) {}
