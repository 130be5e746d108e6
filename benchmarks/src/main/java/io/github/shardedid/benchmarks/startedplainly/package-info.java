/** An application with plain JPA, whose start is measured for comparison, without this library on the class path. */
@NullMarked
package io.github.shardedid.benchmarks.startedplainly;

import org.jspecify.annotations.NullMarked;
