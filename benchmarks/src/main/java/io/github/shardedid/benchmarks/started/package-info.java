/** The application whose start is measured, in a process of its own. */
@NullMarked
package io.github.shardedid.benchmarks.started;

import org.jspecify.annotations.NullMarked;
