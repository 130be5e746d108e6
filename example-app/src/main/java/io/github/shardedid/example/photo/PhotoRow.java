package io.github.shardedid.example.photo;

import org.jspecify.annotations.Nullable;

/**
 * A photo with its author, location and counts, the result of one query in its shard.
 *
 * @param id the id of the photo
 * @param authorId the id of the author
 * @param authorName the name of the author
 * @param caption the caption
 * @param location the name of the location, or null
 * @param likes the number of likes
 * @param comments the number of comments
 * @param mine 1 if the current user likes it, otherwise 0
 */
public record PhotoRow(
        Long id,
        Long authorId,
        String authorName,
        String caption,
        @Nullable String location,
        Long likes,
        Long comments,
        Long mine) {}
