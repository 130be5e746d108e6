/** Tests of types that applications do not see. */
@NullMarked
package io.github.shardedid.operations.internal.structure;

import org.jspecify.annotations.NullMarked;
