/** Counts what does not depend on the machine. */
@NullMarked
package io.github.shardedid.benchmarks.index;

import org.jspecify.annotations.NullMarked;
