/**
 * Benchmarks of the library and its alternatives. The program measures in pairs, alternately, and writes the tables in
 * {@code docs/benchmarks} and that of {@code docs/benchmarks.md}. Not part of the library; never deployed.
 */
@NullMarked
package io.github.shardedid.benchmarks;

import org.jspecify.annotations.NullMarked;
