/** Sessions of the server behind pooled connections: the search path and the shard's types that each one has. */
@NullMarked
package io.github.shardedid.routing.internal.session;

import org.jspecify.annotations.NullMarked;
