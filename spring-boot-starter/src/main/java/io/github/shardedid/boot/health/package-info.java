/**
 * Health indicators: {@code db} for each database, and {@code shardMap} for the cluster. No indicator queries a shard.
 */
@NullMarked
package io.github.shardedid.boot.health;

import org.jspecify.annotations.NullMarked;
