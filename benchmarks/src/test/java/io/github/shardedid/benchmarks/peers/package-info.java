/** Proves what reads cost that does not depend on the machine. */
@NullMarked
package io.github.shardedid.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
