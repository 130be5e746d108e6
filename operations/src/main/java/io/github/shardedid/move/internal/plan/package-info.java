/** Plans moves, and runs the moves of a plan. */
@NullMarked
package io.github.shardedid.move.internal.plan;

import org.jspecify.annotations.NullMarked;
