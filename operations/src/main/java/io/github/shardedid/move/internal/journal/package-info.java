/** The journal of a move, the sessions that work on it, and the names of what is created for it. */
@NullMarked
package io.github.shardedid.move.internal.journal;

import org.jspecify.annotations.NullMarked;
