/**
 * What ids and saves cost beside their alternatives: a program that measures everything in pairs, turn by turn, and writes
 * the table of {@code docs/benchmarks.md}. No part of the library; never deployed.
 */
@NullMarked
package io.github.shardedid.benchmarks;

import org.jspecify.annotations.NullMarked;
