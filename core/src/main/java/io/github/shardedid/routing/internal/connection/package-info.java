/** Physical connections and transactions, as one routed connection uses them. */
@NullMarked
package io.github.shardedid.routing.internal.connection;

import org.jspecify.annotations.NullMarked;
