package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.TargetedSql;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.relocation.StatementRelocation;
import io.github.shardedid.routing.internal.replica.ReplicaReads;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.target.Executions;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

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

    /** Routes a statement; its shard is waited for at most so many nanoseconds. What is forbidden touches no database. */
    public Route route(String sql, long timeout) throws SQLException {
        return route(targeted(sql), timeout);
    }

    public Route route(TargetedSql text, long timeout) throws SQLException {
        rules.check(text);
        Target.Single target = text.target();
        boolean waitExceeded = relocation.await(target, timeout);
        String database = relocation.databaseAsKnown(target);
        boolean alone = isLone(text, database) && transaction.mayBeAlone(database);
        PhysicalConnection current = connect(database, target, text.analysis(), alone);
        Route route = new Route(
                text, shared.databases().schemaOf(target), current, waitExceeded, alone && !current.isInTransaction());
        note(route);
        return route;
    }

    /** The statement if it would have to wait for its shard now, else null. If a rule forbids it, it fails at once. */
    public @Nullable TargetedSql deferred(String sql) throws SQLException {
        Target.Single target = settings.describedTarget();
        if (target == null || !relocation.isDeferred(target)) {
            return null;
        }
        TargetedSql text = targeted(sql);
        rules.check(text);
        return relocation.isDeferred(text.target()) ? text : null;
    }

    private TargetedSql targeted(String sql) throws SQLException {
        SqlAnalysis analysis = shared.analyses().of(sql);
        rules.requireAllowed(sql, analysis.traits());
        return new TargetedSql(sql, analysis, rules.targetOf(sql, analysis.schemas()));
    }

    /** Whether a statement goes to the global database by its text alone. */
    public boolean isGlobal(String sql) {
        return shared.analyses().of(sql).schemas().nameGlobal();
    }

    private PhysicalConnection connect(String database, Target.Single target, SqlAnalysis analysis, boolean alone)
            throws SQLException {
        if (settings.reserving) {
            return relocation.reserving(database, target);
        }
        boolean begins = !alone && !isNonTransactional(analysis, database);
        if (replicas.allows(analysis.traits(), paths.isPlain(analysis, database))) {
            PhysicalConnection replica = replicas.on(database, target, physical, begins);
            return replica == null ? physical.on(database, target, begins) : replica;
        }
        replicas.stayWithPrimary(database);
        return physical.on(database, target, begins);
    }

    public StatementRules rules() {
        return rules;
    }

    /** Is notified of executions. */
    Executions executions() {
        return shared.executions();
    }

    /** Waits for, and follows, shards that move. */
    public StatementRelocation relocation() {
        return relocation;
    }

    /** Another statement of the same target, over the same connection. */
    Route overSameConnection(Route other, Route route) {
        Route same = new Route(other.text(), other.schema(), route.physical(), route.waitExceeded(), false);
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
        return new Route(route.text(), route.schema(), target, route.waitExceeded(), false);
    }

    /** Whether only the commit follows a statement, and its text can be sent as a transaction of its own. */
    private boolean isLone(TargetedSql text, String database) {
        return settings.ending != null
                && settings.ending.sql().equals(text.sql())
                && text.analysis().traits().singleWrite()
                && (settings.ending.rows() == 1 || paths.isFree(text.analysis(), database));
    }

    /** How many rows are all that is left to write before the commit; 0 if that is not known. */
    int ending() {
        return settings.ending == null ? 0 : settings.ending.rows();
    }

    /** From now on, writes belong to the transaction again. */
    void join() {
        settings.ending = null;
    }

    public Transaction transaction() {
        return transaction;
    }

    /** A write that was a transaction of its own has succeeded, or its connection broke. */
    void committed(Route route, @Nullable SQLException failure) {
        join();
        if (failure == null) {
            route.physical().use().storedIds();
            transaction.binding().committed();
        } else {
            transaction
                    .binding()
                    .committedPerhaps(ConnectionLoss.explainCommit(
                            failure, route.physical().database()));
        }
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
        rules.check(route.text());
        transaction.reads().requireNoFailureOn(route.physical().database());
        replicas.requireUsable(route.physical());
        boolean begins = !route.alone()
                && !isNonTransactional(route.analysis(), route.physical().database());
        boolean inParts = !settings.reserving && StatementCreation.needsTransaction(statement);
        if (begins || inParts) {
            physical.begin(route.physical());
        }
        String local = settings.reserving ? null : transaction.settingsFor(route.physical(), joins);
        note(route);
        use(route);
        if (inParts) {
            route.physical().use().mayOpenCursor();
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
        route.physical().statementTransaction().end();
    }

    private void note(Route route) {
        if (!settings.autoCommit) {
            transaction.reads().prepared();
            if (route.analysis().traits().writes()) {
                transaction.binding().bind(route.target(), route.physical().database());
            }
            if (route.analysis().traits().locks()) {
                route.physical().use().expectId();
            }
        }
    }

    public void closed(PhysicalConnection target) {
        target.statementClosed();
        releaseIfIdle(target);
    }

    /** In autocommit a connection goes back as soon as nothing needs it. */
    public void releaseIfIdle(PhysicalConnection target) {
        if (target.isIdle()) {
            physical.release(target);
        }
    }
}
