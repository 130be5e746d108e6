/** Reads from replicas: which reads may, which replica is next, and when the database itself answers instead. */
@NullMarked
package io.github.shardedid.routing.internal.replica;

import org.jspecify.annotations.NullMarked;
