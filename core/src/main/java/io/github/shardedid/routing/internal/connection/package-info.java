/**
 * The databases and their replicas, and the physical connections and the transaction of a routed connection.
 *
 * <p>A routed connection has several physical ones, or none, and their transactions must appear as one. So the
 * parts of a transaction are here: its connections, the shard that it writes, its savepoints, its settings, its
 * commit. The statements, which decide when a connection is needed, are in {@code statement}.
 */
@NullMarked
package io.github.shardedid.routing.internal.connection;

import org.jspecify.annotations.NullMarked;
