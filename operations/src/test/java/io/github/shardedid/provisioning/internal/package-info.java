/** Tests of types that applications do not see. */
@NullMarked
package io.github.shardedid.provisioning.internal;

import org.jspecify.annotations.NullMarked;
