/** The application of plain JPA whose start is measured beside ours, in a process that has nothing of ours on its class path. */
@NullMarked
package io.github.shardedid.benchmarks.startedplainly;

import org.jspecify.annotations.NullMarked;
