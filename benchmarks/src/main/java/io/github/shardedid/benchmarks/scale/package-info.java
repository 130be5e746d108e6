/** The cost of a call with more shards, more databases and more clients. */
@NullMarked
package io.github.shardedid.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
