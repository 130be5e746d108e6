/** The cost of queries over several shards. */
@NullMarked
package io.github.shardedid.benchmarks.query;

import org.jspecify.annotations.NullMarked;
