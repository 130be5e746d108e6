/** Counts what does not depend on the machine. */
@NullMarked
package io.github.shardedid.benchmarks.jpa;

import org.jspecify.annotations.NullMarked;
