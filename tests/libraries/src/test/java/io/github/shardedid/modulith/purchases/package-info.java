/** Publishes events. */
@NullMarked
package io.github.shardedid.modulith.purchases;

import org.jspecify.annotations.NullMarked;
