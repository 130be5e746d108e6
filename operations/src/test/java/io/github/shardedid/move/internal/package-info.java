/** Tests of what a move compares and plans. */
@NullMarked
package io.github.shardedid.move.internal;

import org.jspecify.annotations.NullMarked;
