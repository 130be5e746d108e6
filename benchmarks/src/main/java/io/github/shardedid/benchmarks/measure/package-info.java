/** How the ways to do the same are measured turn by turn, and how the figures are written down. */
@NullMarked
package io.github.shardedid.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
