/**
 * Routes each SQL statement to the database of its target: a scope that names a shard, and a data source whose connections are
 * bound to no database until a statement says where it belongs. Plain JDBC.
 *
 * <p>A {@code findById} goes this way, over open connections and known texts, without a round trip of its own:
 * <pre>
 * repository, or Hibernate's Session          decodes the shard from the id
 *      | ShardContext.call(shard, ...)
 *      v
 * ShardContext                                 the thread's {@link io.github.shardedid.routing.Target}
 *      | prepareStatement(sql)
 *      v
 * RoutingConnection                            internal: what JDBC calls
 *      | sql + target
 *      v
 * Router                                       internal.statement: decides once, into a Route
 *      |-- SqlAnalyses                         internal.sql: what the text does, whose schema it names
 *      |-- StatementRules, WriteBinding        one target, one write shard; nothing was sent yet
 *      |-- StatementRelocation, Databases      the database that owns the shard, by one shard map
 *      |-- ReplicaReads                        internal.connection: a replica instead?
 *      v
 * PhysicalConnections, DatabasePools           internal.connection: the one to that database, from its pool
 *      | Session                               what is known of the session: its search path
 *      | prepareStatement(sql with the shard's schema)
 *      v
 * PreparedFacade, Execution                    internal.statement: executes it, again where the shard has moved
 *      |-- SingleTripCommit                    the last write, with its commit in one round trip
 *      v
 * PathAlignment, PathFirst, driver             a SET search_path only if names need it
 * </pre>
 *
 * <p>Packages use only those to their left: {@code sql}, {@code session}, {@code connection}, {@code statement}, {@code scatter} (several
 * shards), {@code internal}. {@code sql} has the tokens in
 * {@code sql.lexer}; {@code sql.grammar} and {@code sql.query}, the grammar of queries over several shards and what is known to
 * merge, are used by {@code scatter} alone.
 */
@NullMarked
package io.github.shardedid.routing;

import org.jspecify.annotations.NullMarked;
