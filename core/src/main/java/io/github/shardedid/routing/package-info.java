/**
 * Routes each SQL statement to the database of its target: a scope that names a shard, and a data source whose
 * connections are bound to no database until a statement says where it belongs. Plain JDBC.
 *
 * <p>A {@code PhotoRepository.findById} in a transaction goes this way, over open connections and with known texts.
 * All types that it passes between Hibernate's session and the driver are shown, most of them where they have their
 * work; a name behind a dot is a nested type. Of the starter, the main types are shown. A line that begins with a name and
 * a colon lists types of that package.
 * <pre>
 * PhotoRepository.findById(id)
 *  |
 *  | starter, spring.data                  the shard from the argument, ahead of the transaction
 *  |   ShardRoutingInterceptor             MethodRoutes, MethodRoute: determined once per method
 *  |   CrudRoutes, CallTarget.To           the rule of findById: hibernate.ShardRule decodes the id
 *  v
 * the transaction begins                   no database is touched
 *  |
 *  | routing, routing.internal             a connection that is bound to nothing, and its parts
 *  |   RoutingDataSource, RoutingConnection
 *  |   connection: ConnectionSettings, PhysicalConnections, Transaction
 *  |   statement:  SharedRouting (one per data source), Router
 *  |
 *  | starter, spring.data
 *  |   ShardRoutingInterceptor.CallScope   opens the scope of the shard around the query
 *  |
 *  | routing                               the thread's target
 *  |   RoutedScope, ShardContext, ShardContext.Scope, Target, Target.Shard
 *  v
 * EntityManager.find(Photo.class, id)
 *  |
 *  | hibernate.internal                    the same scope for every access by id, without a repository, too
 *  |   persister:  SingleTableEntityPersister, generated as a subclass with an auxiliary class
 *  |               RoutedEntity
 *  |   routing:    EntityRouting
 *  |   topology.Cluster, id.IdLayout       the bits of the id name the shard
 *  |   queries:    RoutedJdbcServices, RoutedJdbcServices.Selects
 *  v
 * RoutingConnection.prepareStatement(sql)
 *  |
 *  | Router.decide                         text and target become a Route; no database is touched
 *  |   sql:        SqlAnalyses, SqlAnalysis: read once per text
 *  |   connection: Route, Transaction      one target, one write shard
 *  |               Databases               with the schema of the shard (topology.ShardSchema)
 *  |
 *  | Router.connect                        the database that owns the shard, by one shard map
 *  |   topology:   CurrentShardMap, ShardMap; if the shard moves: statement.StatementRelocation
 *  |   connection: PhysicalConnections     the connection that the transaction has
 *  |               DatabasePools           or one from the database's pool
 *  |               PhysicalConnection (PathAlignment)
 *  |   session:    Sessions, Session (NameCatalogs): what is known of the session of the server
 *  |
 *  | the driver prepares the text with the shard's schema
 *  |   statement:  PreparedFacade, StatementFacade (RecordedCalls, RecordedCalls.Call)
 *  v
 * PreparedStatement.executeQuery()
 *  |
 *  | PreparedFacade                        compares scope and map with those of the Route (Router.requireScope)
 *  | Router.beforeExecution                applies the rules again, and sets what must hold in the session
 *  |   sql:        KnownNames.Verdict      whether names need the search path; here they do not
 *  |   statement:  DriverCall
 *  v
 * the driver                               one round trip
 *  |
 *  | the rows, and the connection back to its pool when the statement is closed
 *  |   statement:  ResultFacade
 *  v
 * the transaction ends
 *    hibernate.internal: persister.FlushPlan, FlushPlan.OnFlush: there is nothing to write
 *               persister.LastWrite, and what hibernate.internal.routing.Overridden generates
 *    connection: PhysicalConnections.commit: nothing to commit, as nothing was begun
 * </pre>
 *
 * <p>A save of a new row goes this way; what is as above is left out:
 * <pre>
 * EntityManager.persist(photo)
 *  |
 *  | hibernate.internal
 *  |   persister:  OwnerScopes.Persists, OwnerScopes.Saving: a row that a cascade reaches is stored with its owner
 *  |   routing:    ShardedIdGenerator      Sharding: the shard of the scope; ShardChoice: that of a shard key
 *  |
 *  | routing.internal
 *  |   RoutingControl.declareWrite         the transaction writes to this shard: Transaction.checkWrite, bind
 *  |
 *  | generator                             the id: DatabaseIdSource, IdBlock (Reservation), or JvmIdSource
 *  |   RoutingControl.isOpenSince          the ids of a block may be used as long as their connection is open
 *  v
 * the commit flushes
 *  |
 *  | hibernate.internal                    nothing is sent before all rows are checked
 *  |   persister:  LastWrite               the coordinator of the session's transactions
 *  |               FlushPlan.OnFlush, FlushPlan: one shard for all rows and collections
 *  |   routing:    EntityRouting           the shard of each row
 *  |   guards:     RowGuard                the shards of its references and of its shard key
 *  |   persister:  LastWrite.text          whether the commit may go with the statement: RoutingControl.announceLastWrite
 *  v
 * Hibernate executes the insert
 *  |
 *  | hibernate.internal
 *  |   persister:  RoutedEntity, RoutedCoordinator.Insert: checks the row again, in the scope of its shard
 *  |               ScopedBatch             executes the batch in the scope in which it was begun
 *  |               RoutedCollection        the rows of collections
 *  v
 * RoutingConnection.prepareStatement(sql)
 *  |
 *  | Router.decide, Router.connect         the write begins the transaction on the database, unless it is the last one
 *  | PreparedFacade
 *  |   connection: SingleTripCommit        sends the commit in the round trip of the last write
 *  v
 * the driver
 * </pre>
 *
 * <p>Packages use only those to their left: {@code sql}, {@code session}, {@code connection}, {@code statement},
 * {@code scatter} (several shards), {@code internal}. The grammar of queries over several shards and the rules of what
 * is known to merge are in {@code sql.grammar} and {@code sql.query}, which {@code scatter} uses; by them,
 * {@link io.github.shardedid.routing.RoutingDataSource#comparedIds} finds the ids that a statement compares, too.
 */
@NullMarked
package io.github.shardedid.routing;

import org.jspecify.annotations.NullMarked;
