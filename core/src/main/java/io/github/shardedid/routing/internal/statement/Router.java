package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.SingleTripCommit;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.topology.ShardMap;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Parser;

/**
 * Decides where a statement of one routed connection goes: the current shard, the write rule, the physical connection, and
 * the search path where the statement depends on it.
 */
public final class Router {
    private final SharedRouting shared;
    private final StatementRelocation relocation;
    private final PhysicalConnections physical;
    private final ConnectionSettings settings;
    private final Transaction transaction;
    private final StatementRules rules;
    private final ReplicaReads replicas;
    private final StatementPaths paths;

    public Router(
            SharedRouting shared,
            PhysicalConnections physical,
            ConnectionSettings settings,
            Transaction transaction,
            ReplicaReads replicas) {
        this.shared = shared;
        this.replicas = replicas;
        this.physical = physical;
        this.settings = settings;
        this.transaction = transaction;
        this.rules = new StatementRules(shared.databases(), settings, transaction.binding());
        this.paths = new StatementPaths(shared.sessions().names(), settings);
        this.relocation = new StatementRelocation(
                shared.databases(), shared.relocations(), physical, settings, transaction.reads());
    }

    /** Routes a statement that is in the scope of one target, or of none. */
    public Route route(String sql) throws SQLException {
        return connect(decide(sql, ShardContext.target()));
    }

    /** Decides where a statement goes, without touching a database: what is forbidden is not sent. */
    public Route decide(String sql, @Nullable Target scope) throws SQLException {
        SqlAnalysis analysis = shared.analyses().of(sql);
        rules.requireAllowed(sql, analysis.traits());
        Target.Single target = rules.targetOf(sql, analysis.schemas(), scope);
        Route route = new Route(sql, analysis, target, shared.databases().schemaOf(target));
        rules.check(route);
        return route;
    }

    /** Returns a text as the driver sends it. */
    public String nativeSql(String sql) throws SQLException {
        return Parser.parseJdbcSql(Parser.replaceProcessing(sql, true, true), true, true, true, false, true).stream()
                .map(query -> query.nativeSql)
                .collect(Collectors.joining(";"));
    }

    /** Finds the database of a statement, waiting for its shard if it is moving, and a connection to it. */
    public Route connect(Route route) throws SQLException {
        Target.Single target = route.target();
        physical.requireOwn(target);
        ShardMap map = relocation.map();
        boolean waitExceeded = false;
        if (relocation.isDeferred(target, map)) {
            waitExceeded = relocation.await(target, map);
            map = shared.databases().map();
        }
        String database = relocation.databaseAsKnown(target, map);
        SingleTripCommit commit = singleTripCommit(route, database);
        PhysicalConnection current = connect(database, target, route.analysis(), commit != null);
        Route connected = route.over(current, map, waitExceeded, current.isInTransaction() ? null : commit);
        note(connected);
        return connected;
    }

    /** Routes a statement again, whose connection was given up. */
    public Route again(Route route) throws SQLException {
        rules.check(route);
        return connect(route);
    }

    /** Returns whether a statement goes to the global database by its text alone. */
    public boolean isGlobal(String sql) {
        return shared.analyses().of(sql).schemas().nameGlobal();
    }

    private PhysicalConnection connect(String database, Target.Single target, SqlAnalysis analysis, boolean apart)
            throws SQLException {
        if (settings.reserving) {
            return relocation.reserving(database, target);
        }
        boolean begins = !apart && !isNonTransactional(analysis, database);
        if (replicas.allows(analysis.traits())) {
            PhysicalConnection replica = replicas.on(database, physical, begins);
            return replica == null ? physical.on(database, target, begins) : replica;
        }
        replicas.stayWithPrimary(database);
        return physical.on(database, target, begins);
    }

    public StatementRules rules() {
        return rules;
    }

    /** Is notified of executions. */
    RoutingListener listener() {
        return shared.listener();
    }

    /** Waits for, and follows, shards that move. */
    public StatementRelocation relocation() {
        return relocation;
    }

    /** Another statement of the same target, over the same connection. */
    Route overSameConnection(Route other, Route route) {
        Route same = other.over(route.physical(), route.waitExceeded());
        note(same);
        return same;
    }

    /**
     * Whether a statement that has failed goes to the database itself now, because of a failure of the replica itself; the
     * statement there is closed by then, and the connection given up.
     */
    boolean leavesReplica(Route route, SQLException failure) throws SQLException {
        if (!replicas.leaves(route.physical(), failure)) {
            return false;
        }
        if (route.physical().isInTransaction()) {
            route.physical().rollback();
            physical.release(route.physical());
        }
        return true;
    }

    /** The same statement, to its database itself. */
    Route toPrimary(Route route) throws SQLException {
        String database = route.physical().database();
        boolean begins = !isNonTransactional(route.analysis(), database);
        PhysicalConnection target = physical.on(database, route.target(), begins);
        return route.over(target, route.waitExceeded());
    }

    /** Returns the commit that may be sent together with a statement; null if more may follow. */
    private @Nullable SingleTripCommit singleTripCommit(Route route, String database) {
        SingleTripCommit announced = transaction.announced();
        return announced != null
                        && announced.isOf(route.sql(), route.analysis())
                        && (!announced.isBatch() || paths.isFree(route.analysis(), database))
                        && transaction.allowsSingleTrip(database)
                ? announced
                : null;
    }

    public Transaction transaction() {
        return transaction;
    }

    /**
     * Whether a statement is left in autocommit until something locks or writes in its database: a non-transactional read, or a
     * reservation of ids.
     */
    private boolean isNonTransactional(SqlAnalysis analysis, String database) {
        return settings.defersBegin() && (settings.reserving || paths.isPlain(analysis, database));
    }

    /**
     * What holds at each execution: the rules again, and names mean what they mean by the search path of the shard.
     *
     * @param statement the physical statement that is about to be executed
     * @param joins whether something can be set in the same round trip
     * @return what sets something together with the statement; null if there is nothing to set
     */
    @Nullable
    PathFirst beforeExecution(Route route, Statement statement, boolean joins) throws SQLException {
        rules.check(route);
        physical.requireOwn(route.target());
        transaction.reads().requireNoFailureOn(route.physical().database());
        replicas.requireUsable(route.physical());
        boolean begins = route.commit() == null
                && !isNonTransactional(route.analysis(), route.physical().database());
        boolean inParts = !settings.reserving && StatementCreation.needsTransaction(statement);
        if (begins || inParts) {
            physical.begin(route.physical());
        }
        String local = settings.reserving ? null : transaction.settingsFor(route.physical(), joins);
        note(route);
        use(route);
        if (inParts) {
            route.physical().use().mayHaveCursors = true;
        }
        if (!joins) {
            beforeDescription(route, statement);
            return null;
        }
        return PathFirst.of(route, transaction, local, paths.before(route));
    }

    /** A statement goes on to write, other than by its text: by its result, or by a large object. */
    void beforeWrite(Route route, String call) throws SQLException {
        String database = route.physical().database();
        rules.write(route.target(), () -> call + " of " + SqlText.brief(route.sql()), database);
        transaction.reads().requireNoFailureOn(database);
        begin(route);
        beforeDescription(route, null);
    }

    /** What a text sets by itself is set elsewhere, too: it does not tie the transaction to the database. */
    private void use(Route route) {
        if (route.physical().isInTransaction() && !route.analysis().settings().areAll()) {
            route.physical().use().add(route.target());
            route.physical().pathAlignment().begins(route.analysis());
        }
    }

    /** From now on, a statement and all later ones to its database are inside the transaction, if there is one. */
    public void begin(Route route) throws SQLException {
        physical.begin(route.physical());
        use(route);
    }

    SQLException failed(Route route, SQLException failure) {
        if (route.physical().isInTransaction()) {
            route.physical().use().add(route.target());
        }
        boolean nonTransactional = !settings.autoCommit && !route.physical().isInTransaction();
        paths.failed(route, failure);
        if (nonTransactional && ConnectionLoss.isFromServer(failure)) {
            transaction.reads().failedOn(route.physical().database());
        }
        MisplacedIds.requireNone(route, failure);
        return ConnectionLoss.explain(failure, route.physical().name(), route.target());
    }

    /** The search path as the statement needs it. */
    void beforeDescription(Route route, @Nullable Statement statement) throws SQLException {
        paths.align(route, statement, this::begin);
    }

    void succeeded(Route route) {
        replicas.answered(route.physical());
    }

    void afterExecution(Route route) throws SQLException {
        route.physical().pathAlignment().ran(route.analysis());
        route.physical().endStatementTransaction();
    }

    private void note(Route route) {
        if (!settings.autoCommit) {
            transaction.reads().any = true;
            if (route.analysis().traits().writes()) {
                transaction.binding().bind(route.target(), route.physical().database());
            }
            if (route.analysis().traits().locks()) {
                route.physical().use().mayHaveTransactionId = true;
            }
        }
    }

    public void closed(PhysicalConnection target) {
        target.statementClosed();
        releaseIfUnused(target);
    }

    /** In autocommit a connection goes back as soon as nothing needs it. */
    public void releaseIfUnused(PhysicalConnection target) {
        if (target.isReleasable()) {
            physical.release(target);
        }
    }
}
