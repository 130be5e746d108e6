/** Counts what does not depend on the machine. */
@NullMarked
package io.github.shardedid.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
