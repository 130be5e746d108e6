/** Tests of types that applications do not see. */
@NullMarked
package io.github.shardedid.operations.internal.schema;

import org.jspecify.annotations.NullMarked;
