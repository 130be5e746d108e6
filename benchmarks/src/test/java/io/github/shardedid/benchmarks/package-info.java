/** Proves that the benchmarks still work, without judging times, and counts what does not depend on the machine. */
@NullMarked
package io.github.shardedid.benchmarks;

import org.jspecify.annotations.NullMarked;
