/** The cost of moving a shard. */
@NullMarked
package io.github.shardedid.benchmarks.move;

import org.jspecify.annotations.NullMarked;
