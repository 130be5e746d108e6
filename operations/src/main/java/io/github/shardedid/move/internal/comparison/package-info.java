/** Compares the rows of two copies of a shard. */
@NullMarked
package io.github.shardedid.move.internal.comparison;

import org.jspecify.annotations.NullMarked;
