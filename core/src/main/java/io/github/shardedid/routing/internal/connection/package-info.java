/**
 * The databases and their replicas, and the physical connections and the transaction of a routed connection.
 */
@NullMarked
package io.github.shardedid.routing.internal.connection;

import org.jspecify.annotations.NullMarked;
