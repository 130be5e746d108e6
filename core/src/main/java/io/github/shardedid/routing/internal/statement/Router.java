package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.SingleTripCommit;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.session.NameCatalogs;
import io.github.shardedid.routing.internal.sql.NamedSchemas;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.TransactionSettings;
import io.github.shardedid.topology.ShardMap;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Parser;

/**
 * Decides where a statement of one routed connection goes, and applies the decision. For one thread at a time:
 *
 * <ol>
 *   <li>{@link #decide} finds the target from the text and the scope, and applies the rules. No database is
 *       touched, so that nothing is sent of what is refused.
 *   <li>{@link #connect} finds the database by the map, waits for a shard that moves, and takes a connection.
 *       The statement begins the transaction there, unless it is a plain query or a replica answers it.
 *   <li>{@link #beforeExecution} applies the rules again at each execution, since the transaction may have
 *       written another shard since, and sets what must hold in the session.
 *   <li>{@link #afterExecution}, {@link #succeeded} and {@link #failed} note what the statement has done to its
 *       session and its transaction.
 * </ol>
 *
 * <p>The rules are here, and not in the integration with Hibernate, because every client of a data source
 * prepares statements: native SQL, {@code JdbcTemplate} and jOOQ obey them, too.
 *
 * <p>While a statement runs, the path of its session names its shard or no shard, never another one. A text
 * that names all schemas needs no path, which spares the driver's prepared statements: most that Hibernate generates.
 * What is not known to need none gets it.
 */
public final class Router {
    /** The SQLStates of a table, function or other object that does not exist. */
    private static final Set<String> UNDEFINED = Set.of("42P01", "42883", "42704");

    final SharedRouting shared;
    final PhysicalConnections connections;
    final ConnectionSettings settings;
    final Transaction transaction;
    private final @Nullable ReplicaReads replicas;
    /** What the catalogs say of the names in statements. */
    private final NameCatalogs names;

    public Router(
            SharedRouting shared,
            PhysicalConnections connections,
            ConnectionSettings settings,
            Transaction transaction,
            @Nullable ReplicaReads replicas) {
        this.shared = shared;
        this.replicas = replicas;
        this.connections = connections;
        this.settings = settings;
        this.transaction = transaction;
        this.names = shared.sessions().names();
    }

    /** Returns where a text of a batch goes, which binds the transaction if it writes. */
    Target.Single targetInBatch(String sql) throws SQLException {
        Route route = decide(sql, ShardContext.target());
        if (route.analysis().writes()) {
            write(route.target(), () -> SqlText.brief(sql), null);
        }
        return route.target();
    }

    /**
     * Decides about a statement, once, without touching a database, so that nothing is sent of what is refused: what
     * belongs to the methods of the connection, what would change a session for its next user, what has no target, and
     * a write to a second shard. Its execution compares what is in the decision.
     *
     * @param scope the innermost scope, which the caller has asked for; null for none
     * @return a route without a connection
     */
    public Route decide(String sql, @Nullable Target scope) throws SQLException {
        SqlAnalysis analysis = shared.analyses().of(sql);
        if (analysis.endsTransaction()) {
            throw new SQLFeatureNotSupportedException(
                    "Transactions span databases here: use the methods of the connection instead of sending "
                            + SqlText.brief(sql));
        }
        analysis.requireNoSessionUse(sql);
        Target.Single target = targetOf(sql, analysis.schemas(), scope);
        if (analysis.locksGlobal() && target instanceof Target.Shard) {
            throw new UnsupportedStatementException(
                    "A lock of rows of a copy counts in the database of its shard only: "
                            + SqlText.brief(sql)
                            + ". Lock them in ShardContext.runGlobal(…), or name the tables of the shard by FOR UPDATE OF.");
        }
        Route route = new Route(sql, analysis, target, shared.databases().schemaOf(target), null, null, false, null);
        check(route);
        return route;
    }

    /**
     * Refuses to execute a statement, or to add to its batch, in another scope than the one that has decided
     * where it goes. Where no scope is open, nothing names another target, and it goes where it was prepared
     * for. The scope is looked at only if it is not the target's own, or the session has a tenant, beside which the
     * application's scope may be refused.
     */
    void requireScope(Route route) throws SQLException {
        if (settings.tenant == null && RoutedScope.isOpen(route.target())) {
            return;
        }
        NamedSchemas schemas = route.analysis().schemas();
        if (schemas == NamedSchemas.GLOBAL
                || (schemas == NamedSchemas.REPLICATED && route.target() instanceof Target.Global)) {
            return;
        }
        Target scope = ShardContext.target();
        Target.Single now = settings.targetIn(scope);
        if (now == null ? scope instanceof ShardSet : !now.equals(route.target())) {
            throw settings.differs(route.sql(), route.target());
        }
    }

    /**
     * Refuses a statement that writes to a second shard. In autocommit, each statement is a transaction of its
     * own.
     */
    private void check(Route route) {
        if (route.analysis().writes() && !settings.autoCommit) {
            transaction.checkWrite(route.target(), () -> SqlText.brief(route.sql()), shared.databases());
        }
    }

    /**
     * Binds the transaction to the target of a write that is no statement's text, and refuses a second target.
     * Does nothing in autocommit.
     *
     * @param what what is to be written; asked only for messages
     * @param database where it writes, or null if that is not known yet
     */
    public void write(Target.Single target, Supplier<String> what, @Nullable String database) {
        if (!settings.autoCommit) {
            transaction.checkWrite(target, what, shared.databases());
            transaction.bind(target, database);
        }
    }

    /**
     * Returns where a statement goes: to the global entities if it names them, else to the target of the scope.
     * There is no default. One that only reads replicated tables goes to the database of the scope's shard, else to the global one.
     *
     * @throws UnsupportedStatementException if it names both
     * @throws NoShardException if it names a shard's schema, or none, and no scope tells which
     */
    private Target.Single targetOf(String sql, NamedSchemas schemas, @Nullable Target scope) {
        if (schemas == NamedSchemas.GLOBAL) {
            return Target.global();
        } else if (schemas == NamedSchemas.MIXED) {
            throw new UnsupportedStatementException("Sharded and global tables are in one statement, which no database"
                    + " can answer, since they may be on different servers: " + SqlText.brief(sql)
                    + ". A replicated table is written or locked in a statement of its own. Associations between other tables are not joined: leave out join fetch, or the entity graph's"
                    + " node, and let the other row be loaded by its id; or ask with two queries.");
        }
        Target.Single target = settings.targetIn(scope);
        if (schemas == NamedSchemas.REPLICATED) {
            return target instanceof Target.Shard ? target : Target.global();
        }
        if (target == null) {
            throw settings.unknown(SqlText.brief(sql));
        }
        if (schemas == NamedSchemas.SHARD && target instanceof Target.Global) {
            throw new NoShardException("A statement for the tables of a shard was about to be sent in the scope"
                    + " of the global database: " + SqlText.brief(sql)
                    + ". Name its shard with ShardContext.run(shard, ...); native SQL names global tables"
                    + " without a schema, or as " + SchemaPlaceholder.OF_GLOBAL
                    + ".<table>, never with {h-schema}.");
        }
        return target;
    }

    /** Returns a text as the driver sends it, by the driver's own parser. */
    public String nativeSql(String sql) throws SQLException {
        return Parser.parseJdbcSql(Parser.replaceProcessing(sql, true, true), true, true, true, false, true).stream()
                .map(query -> query.nativeSql)
                .collect(Collectors.joining(";"));
    }

    /**
     * Finds the database of a statement, waiting for its shard if it is moving, and a connection to it. By one
     * map: after a wait, by a newer one.
     */
    public Route connect(Route route) throws SQLException {
        Target.Single target = route.target();
        connections.requireOwn(target);
        ShardMap map = shared.databases().youngMap();
        boolean waitExceeded = false;
        if (isDeferred(target, map)) {
            waitExceeded = relocation().await(target);
            map = shared.databases().map();
        }
        String database = databaseAsKnown(target, map);
        SingleTripCommit commit = singleTripCommit(route, database);
        PhysicalConnection current = connect(database, target, route.analysis(), commit != null);
        Route connected = route.over(
                current, map, waitExceeded, current.isInTransaction() && !current.isClaiming() ? null : commit);
        note(connected);
        return connected;
    }

    /** Returns whether a new statement for a target would have to wait, by a map. */
    private boolean isDeferred(Target.Single target, ShardMap map) {
        return target instanceof Target.Shard shard
                && map.isFenced(shard.number())
                && connections.databaseThatUsed(target) == null;
    }

    /**
     * Returns the database of a target: the one on which the transaction has used it, as it cannot have left
     * that; else the one that owns it, which is waited for if it is about to change.
     */
    String database(Target.Single target) throws SQLException {
        ShardMap map = shared.databases().youngMap();
        if (isDeferred(target, map)) {
            relocation().await(target);
            map = shared.databases().map();
        }
        return databaseAsKnown(target, map);
    }

    /** Returns the database of a target without waiting for its shard, by a map. */
    String databaseAsKnown(Target.Single target, ShardMap map) throws SQLException {
        String used = connections.databaseThatUsed(target);
        return used == null ? shared.databases().databaseOf(target, map) : used;
    }

    /**
     * Routes a statement again, whose connection was let go of. The rules are applied again, as time has
     * passed.
     */
    public Route again(Route route) throws SQLException {
        check(route);
        return connect(route);
    }

    /** Returns whether a statement goes to a single database by its text alone, in the scope of several shards, too. */
    public boolean isGlobal(String sql) {
        return shared.analyses().of(sql).schemas().nameGlobal();
    }

    /**
     * Returns the connection for a statement. What may not go to a replica makes the transaction read from the
     * database itself from then on.
     *
     * @param apart whether the statement commits by itself, outside of the transaction
     */
    private PhysicalConnection connect(String database, Target.Single target, SqlAnalysis analysis, boolean apart)
            throws SQLException {
        if (settings.reserving) {
            return relocation().reserving(database, target);
        }
        boolean begins = !apart && !isNonTransactional(analysis, database);
        PhysicalConnection replica = null;
        if (replicas != null && replicas.allows(analysis)) {
            replica = replicas.on(database, connections, begins);
        } else if (replicas != null) {
            replicas.stayWithPrimary(database);
        }
        return replica == null ? connections.on(database, target, begins) : replica;
    }

    /**
     * Returns the connection to a shard's database that stays with the transaction, so that what was reserved
     * over it is known to be there as long as the connection is.
     *
     * @return null in autocommit; also if the connection does not follow shards, and has none to that database:
     *     none is taken from a pool then
     */
    public @Nullable PhysicalConnection pinned(int shard) throws SQLException {
        Target.Shard target = Target.shard(shared.databases().cluster().requireShard(shard));
        String database = settings.following
                ? database(target)
                : databaseAsKnown(target, shared.databases().map());
        if (settings.autoCommit) {
            return null;
        }
        if (!settings.following) {
            return connections.pinnedOn(database);
        }
        boolean apart = settings.defersBegin() && !settings.isReadOnly();
        return apart ? connections.pin(database, target) : connections.on(database, target, true);
    }

    /** Returns what waits for shards that move, and follows them. */
    public StatementRelocation relocation() {
        return new StatementRelocation(shared.databases(), shared.relocations(), connections, settings, transaction);
    }

    /**
     * Returns whether a statement that has failed goes to the database itself now, because of a failure of the
     * replica itself. If so, its connection in a transaction is given back; the statement there is closed
     * later, by the caller.
     */
    boolean leavesReplica(Route route, SQLException failure) throws SQLException {
        if (replicas == null || !replicas.leaves(route.physical(), failure)) {
            return false;
        }
        if (route.physical().isInTransaction()) {
            route.physical().rollback();
            connections.release(route.physical());
        }
        return true;
    }

    /** Routes the same statement to its database itself. */
    Route toPrimary(Route route) throws SQLException {
        String database = route.physical().database();
        boolean begins = !isNonTransactional(route.analysis(), database);
        PhysicalConnection physical = connections.on(database, route.target(), begins);
        return route.over(physical, route.map(), route.waitExceeded(), null);
    }

    /** Returns the commit that may be sent together with a statement; null if more may follow. */
    private @Nullable SingleTripCommit singleTripCommit(Route route, String database) throws SQLException {
        SingleTripCommit announced = transaction.lastWrite;
        return announced != null
                        && announced.isOf(route.sql(), route.analysis())
                        && (!announced.isBatch() || isFree(route.analysis(), database))
                        && transaction.allowsSingleTrip(database)
                ? announced
                : null;
    }

    /**
     * Returns whether a statement is left in autocommit until something locks or writes in its database: a
     * non-transactional read, or a reservation of ids.
     */
    private boolean isNonTransactional(SqlAnalysis analysis, String database) {
        return settings.defersBegin() && (settings.reserving || isPlain(analysis, database));
    }

    /**
     * Returns whether a query needs no transaction. Before anything is known of a database, what looks so does;
     * it is asked for again at the execution, when the catalog has been read with the first session.
     */
    private boolean isPlain(SqlAnalysis analysis, String database) {
        return analysis.plain()
                && (names.isUnread(database) || analysis.in(names.known()).plain());
    }

    /** Returns whether a statement is known to need no path. */
    private boolean isFree(SqlAnalysis analysis, String database) {
        return !names.isOutdated(database) && !analysis.in(names.known()).needsPath();
    }

    /**
     * Applies what holds at each execution: the rules again, the transaction, its settings, and names that mean
     * what they mean by the search path of the shard.
     *
     * <p>The order matters: what is refused sends nothing; a setting of the transaction can be set only after
     * its begin; and the path comes last, since behind a pooler it depends on whether the transaction has
     * begun.
     *
     * @param statement the physical statement that is about to be executed
     * @param joins whether something can be set in the same round trip
     * @return what sets something together with the statement; null if there is nothing to set
     */
    @Nullable
    PathFirst beforeExecution(Route route, Statement statement, boolean joins) throws SQLException {
        check(route);
        connections.requireOwn(route.target());
        transaction.requireNoFailureOn(route.physical().database());
        if (replicas != null) {
            replicas.requireUsable(route.physical());
        }
        boolean begins = route.commit() == null
                && !isNonTransactional(route.analysis(), route.physical().database());
        boolean inParts = !settings.reserving && needsTransaction(statement);
        if (begins || inParts) {
            connections.begin(route.physical());
        }
        String local = settings.reserving ? null : transaction.settingsFor(route.physical(), joins);
        note(route);
        use(route);
        if (inParts) {
            route.physical().mayHaveCursors = true;
        }
        if (!joins) {
            beforeDescription(route, statement);
            return null;
        }
        String path = route.physical().pathAlignment().before(route.schema(), dependsOnPath(route), route.analysis());
        return local == null && path == null ? null : new PathFirst(route, transaction, local, path);
    }

    /**
     * Returns whether a statement needs a transaction although its text does not: the driver fetches results in
     * parts within one only, and an updatable result writes.
     */
    static boolean needsTransaction(Statement statement) throws SQLException {
        return statement.getFetchSize() != 0 || statement.getResultSetConcurrency() != ResultSet.CONCUR_READ_ONLY;
    }

    /**
     * Prepares a write other than by a statement's text: by its result, or by a large object.
     *
     * @param call the method of the application, for messages
     */
    void beforeWrite(Route route, String call) throws SQLException {
        String database = route.physical().database();
        write(route.target(), () -> call + " of " + SqlText.brief(route.sql()), database);
        transaction.requireNoFailureOn(database);
        begin(route);
        beforeDescription(route, null);
    }

    /**
     * Notes that the transaction uses a target on its connection, so that the shard cannot move before its end.
     * A text that only sets something does not tie the transaction to the database, since it is set elsewhere,
     * too.
     */
    private void use(Route route) {
        TransactionSettings set = route.analysis().settings();
        if (route.physical().isInTransaction() && (set == null || !set.areAll())) {
            route.physical().use(route.target());
            route.physical().mayHaveWritten |= !route.physical().pathAlignment().isHarmless(route.analysis());
        }
    }

    /** Makes a statement, and all later ones to its database, a part of the transaction, if there is one. */
    public void begin(Route route) throws SQLException {
        connections.begin(route.physical());
        use(route);
    }

    /**
     * Notes a failure, and returns what to throw. A query that has failed outside of the transaction fails the
     * transaction nevertheless, as it would have inside.
     */
    SQLException failed(Route route, SQLException failure) {
        if (route.physical().isInTransaction()) {
            route.physical().use(route.target());
        }
        boolean nonTransactional = !settings.autoCommit && !route.physical().isInTransaction();
        if (UNDEFINED.contains(String.valueOf(failure.getSQLState()))) {
            names.missed(route.physical().name()); // others may have changed the catalog
        }
        if (nonTransactional && ConnectionLoss.isFromServer(failure)) {
            transaction.failedOn(route.physical().database());
        }
        MisplacedIds.requireNone(route, failure);
        return ConnectionLoss.explain(failure, route.physical().name(), route.target());
    }

    /**
     * Sets the search path as the statement needs it, in a round trip of its own. Behind a pooler it holds within
     * a transaction only.
     *
     * @param statement the physical statement, whose rows are fetched at once behind a pooler; null if there is
     *     none
     */
    void beforeDescription(Route route, @Nullable Statement statement) throws SQLException {
        boolean dependent = dependsOnPath(route);
        if (dependent && route.physical().session().pooled) {
            if (settings.autoCommit) {
                route.physical().beginStatementTransaction(statement);
            } else {
                begin(route);
            }
        }
        route.physical().pathAlignment().align(route.schema(), dependent, route.analysis());
    }

    /**
     * Returns whether the path must name the schema. It must after something was defined in the transaction,
     * which the catalogs that were read do not have.
     */
    private boolean dependsOnPath(Route route) throws SQLException {
        PhysicalConnection physical = route.physical();
        physical.pathAlignment().readNames();
        return physical.isHandedOut()
                || physical.defined
                || route.analysis().in(names.known()).needsPath();
    }

    /** Notes that a statement has succeeded. */
    void succeeded(Route route) {
        if (replicas != null) {
            replicas.answered(route.physical());
        }
    }

    /**
     * Notes that a statement has run, or failed, and ends the transaction that it has had for itself behind a
     * pooler.
     */
    void afterExecution(Route route) throws SQLException {
        route.physical().pathAlignment().ran(route.analysis());
        route.physical().endStatementTransaction();
    }

    /**
     * Notes what a statement does, when its connection is known: from then on the transaction is bound to its
     * target if it writes.
     */
    private void note(Route route) {
        if (!settings.autoCommit) {
            transaction.prepared = true;
            if (route.analysis().writes()) {
                transaction.bind(route.target(), route.physical().database());
            }
            if (route.analysis().locks()) {
                route.physical().mayHaveTransactionId = true;
            }
        }
    }

    /** Notes that a statement or result on a connection is closed. */
    public void closed(PhysicalConnection physical) {
        physical.statementClosed();
        releaseIfUnused(physical);
    }

    /**
     * Gives a connection back if nothing needs it: in autocommit, and for plain queries of a transaction, as
     * soon as nothing is open.
     */
    public void releaseIfUnused(PhysicalConnection physical) {
        if (physical.isReleasable()) {
            connections.release(physical);
        }
    }
}
