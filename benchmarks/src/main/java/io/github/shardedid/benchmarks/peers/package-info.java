/** Alternatives to this library that distribute the same rows over the same databases. */
@NullMarked
package io.github.shardedid.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
