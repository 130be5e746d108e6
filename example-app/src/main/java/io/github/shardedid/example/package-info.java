/**
 * An example application: photo sharing on logical shards. The hash of a user's name chooses the user's shard. Photos are
 * stored with their authors, likes and comments with their photos.
 */
@NullMarked
package io.github.shardedid.example;

import org.jspecify.annotations.NullMarked;
