package io.github.shardedid.example.photo;

/**
 * A photo with what is shown beside it, as one query in its shard finds it.
 *
 * @param id the photo
 * @param authorId who posted it
 * @param authorName the name of who posted it
 * @param caption what is to be seen
 * @param likes how many users like it
 * @param comments how many comments it has
 * @param mine 1 if the user who looks likes it, else 0
 */
public record PhotoRow(
        Long id, Long authorId, String authorName, String caption, Long likes, Long comments, Long mine) {}
