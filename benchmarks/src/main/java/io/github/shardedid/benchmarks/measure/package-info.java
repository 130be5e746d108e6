/** Alternating measurements of several implementations of the same task, and the report of the figures. */
@NullMarked
package io.github.shardedid.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
