/** The start time and the memory of many shards. */
@NullMarked
package io.github.shardedid.benchmarks.start;

import org.jspecify.annotations.NullMarked;
