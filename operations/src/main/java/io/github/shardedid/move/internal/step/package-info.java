/** The steps of a move, and its abort. */
@NullMarked
package io.github.shardedid.move.internal.step;

import org.jspecify.annotations.NullMarked;
