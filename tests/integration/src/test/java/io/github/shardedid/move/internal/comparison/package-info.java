/** Tests of types that applications do not see. */
@NullMarked
package io.github.shardedid.move.internal.comparison;

import org.jspecify.annotations.NullMarked;
