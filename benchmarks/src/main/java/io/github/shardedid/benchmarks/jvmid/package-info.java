/** What an id costs that is made in the JVM. */
@NullMarked
package io.github.shardedid.benchmarks.jvmid;

import org.jspecify.annotations.NullMarked;
