/** The databases of a run, plain and sharded. */
@NullMarked
package io.github.shardedid.benchmarks.servers;

import org.jspecify.annotations.NullMarked;
