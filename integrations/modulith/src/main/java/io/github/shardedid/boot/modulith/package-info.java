/** The event publication registry of Spring Modulith over shards: publications are in the shard of their transaction. */
@NullMarked
package io.github.shardedid.boot.modulith;

import org.jspecify.annotations.NullMarked;
