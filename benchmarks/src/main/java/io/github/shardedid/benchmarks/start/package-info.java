/** What the start and the memory of many shards cost. */
@NullMarked
package io.github.shardedid.benchmarks.start;

import org.jspecify.annotations.NullMarked;
