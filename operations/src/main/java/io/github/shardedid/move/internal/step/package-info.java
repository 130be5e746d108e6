/**
 * The steps of a move, from the checks before it to its end or abort; and how one copy of a shard, or that of a backup, becomes the shard
 * again.
 */
@NullMarked
package io.github.shardedid.move.internal.step;

import org.jspecify.annotations.NullMarked;
