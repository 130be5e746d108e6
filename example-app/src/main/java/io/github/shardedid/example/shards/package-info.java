/** Where things are: the databases and the shards that live on them, as the shard map says now. */
@NullMarked
package io.github.shardedid.example.shards;

import org.jspecify.annotations.NullMarked;
