/** The cost of ids that are generated in the JVM. */
@NullMarked
package io.github.shardedid.benchmarks.jvmid;

import org.jspecify.annotations.NullMarked;
