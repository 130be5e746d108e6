/** What the operations page shows and does beside moving shards: figures of each shard, what works now, servers to stop and start. */
@NullMarked
package io.github.shardedid.example.operations;

import org.jspecify.annotations.NullMarked;
