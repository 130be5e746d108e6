/** How a shard is moved, step by step. */
@NullMarked
package io.github.shardedid.move.internal;

import org.jspecify.annotations.NullMarked;
