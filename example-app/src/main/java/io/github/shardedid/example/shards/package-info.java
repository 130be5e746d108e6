/** The databases and their shards, as in the current shard map. */
@NullMarked
package io.github.shardedid.example.shards;

import org.jspecify.annotations.NullMarked;
