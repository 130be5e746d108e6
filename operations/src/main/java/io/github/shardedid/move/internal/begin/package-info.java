/** Checks whether a shard can be moved, and begins the move. */
@NullMarked
package io.github.shardedid.move.internal.begin;

import org.jspecify.annotations.NullMarked;
