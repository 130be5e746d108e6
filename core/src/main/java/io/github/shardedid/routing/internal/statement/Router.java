package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.ConnectionLoss;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.target.Executions;
import io.github.shardedid.routing.internal.relocation.Homes;
import io.github.shardedid.routing.internal.relocation.Moves;
import io.github.shardedid.routing.internal.connection.OutsideReads;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.target.Place;
import io.github.shardedid.routing.internal.replica.ReplicaReads;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.connection.WriteBinding;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a statement of one routed connection goes: the current shard, the write rule, the physical connection, and
 * the search path where the statement depends on it.
 */
public final class Router {
    private final Databases databases;
    private final Moves moves;
    private final SqlAnalyses analyses;
    private final PhysicalConnections physical;
    private final ConnectionSettings settings;
    private final WriteBinding binding;
    private final StatementRules rules;
    private final OutsideReads outside;
    private final ReplicaReads replicas;

    public Router(
            Databases databases,
            SqlAnalyses analyses,
            PhysicalConnections physical,
            ConnectionSettings settings,
            Transaction transaction,
            ReplicaReads replicas) {
        this.replicas = replicas;
        this.databases = databases;
        this.analyses = analyses;
        this.physical = physical;
        this.settings = settings;
        this.binding = transaction.binding();
        this.rules = new StatementRules(databases, settings, binding);
        this.outside = transaction.reads();
        this.moves = new Moves(databases, physical, settings, outside);
    }

    /**
     * A statement and where it goes: the number and the schema of a {@link Place}.
     *
     * @param overdue whether it has waited for its shard for so long that it goes there anyway
     */
    public record Route(
            String sql, SqlAnalysis analysis, int place, String schema, PhysicalConnection physical, boolean overdue) {
        public String sqlToSend() {
            return analysis.namesSchema() ? analysis.inSchema(schema) : sql;
        }
    }

    /** Routes a statement; its shard is waited for at most so many nanoseconds. What is forbidden touches no database. */
    public Route route(String sql, long timeout) throws SQLException {
        return route(placed(sql), timeout);
    }

    public Route route(PlacedSql text, long timeout) throws SQLException {
        return route(text.sql(), text.analysis(), text.place(), timeout);
    }

    /** The statement if it would have to wait for its place now, else null. If a rule forbids it, it fails at once. */
    public @Nullable
    PlacedSql heldBack(String sql) throws SQLException {
        OptionalInt place = settings.currentPlace();
        if (place.isEmpty() || !moves.isHeldBack(place.getAsInt())) {
            return null;
        }
        PlacedSql text = placed(sql);
        rules.check(text);
        return moves.isHeldBack(text.place()) ? text : null;
    }

    private PlacedSql placed(String sql) throws SQLException {
        SqlAnalysis analysis = analyses.of(sql);
        rules.requireAllowed(sql, analysis.traits());
        return new PlacedSql(sql, analysis, analysis.schemas().place(sql, settings));
    }

    /** Whether a statement goes to the global database by its text alone. */
    public boolean isGlobal(String sql) {
        return analyses.of(sql).schemas().nameGlobal();
    }

    private Route route(String sql, SqlAnalysis analysis, int place, long timeout) throws SQLException {
        rules.check(sql, analysis, place);
        String database = moves.home(place, timeout);
        boolean begins = !staysOutside(analysis);
        PhysicalConnection target;
        if (replicas.allows(analysis.traits())) {
            target = physical.onReplica(database, place, begins);
        } else {
            replicas.stayWithPrimary(database);
            target = physical.on(database, place, begins);
        }
        Route route = new Route(sql, analysis, place, databases.schemaOf(place), target, moves.isOverdue());
        note(route);
        return route;
    }

    public StatementRules rules() {
        return rules;
    }

    /** Who is told of executions. */
    Executions executions() {
        return databases.executions();
    }

    /** What becomes of statements whose shards move. */
    public Moves moves() {
        return moves;
    }

    /** The same statement, to wherever its place is now. */
    Route again(Route route, long timeout) throws SQLException {
        return route(route.sql, route.analysis, route.place, timeout);
    }

    /** Another statement of the same place, over the same connection. */
    Route along(Route other, Route route) {
        Route along = new Route(other.sql, other.analysis, other.place, other.schema, route.physical, route.overdue);
        note(along);
        return along;
    }

    /**
     * Whether a statement that has failed goes to the database itself now, as it failed for the replica's sake; the
     * statement there is closed by then, and the connection given up.
     */
    boolean leavesReplica(Route route, SQLException failure) throws SQLException {
        if (!replicas.leaves(route.physical, failure)) {
            return false;
        }
        if (route.physical.isInTransaction()) {
            route.physical.rollback();
            physical.release(route.physical);
        }
        return true;
    }

    /** The same statement, to its database itself. */
    Route toPrimary(Route route) throws SQLException {
        PhysicalConnection target = physical.on(route.physical.database(), route.place, !staysOutside(route.analysis));
        return new Route(route.sql, route.analysis, route.place, route.schema, target, route.overdue);
    }

    /** Whether a statement is left in autocommit until something locks or writes in its database. */
    private boolean staysOutside(SqlAnalysis analysis) {
        return settings.defersBegin() && analysis.traits().plain();
    }

    /**
     * What holds at each execution: the rules again, and unqualified names mean the shard's tables.
     *
     * @param statement the physical statement that is about to be executed
     */
    void beforeExecution(Route route, Statement statement) throws SQLException {
        rules.check(route.sql, route.analysis, route.place);
        outside.requireNoFailureOn(route.physical.database());
        replicas.requireUsable(route.physical);
        if (!staysOutside(route.analysis) || StatementCreation.needsTransaction(statement)) {
            physical.begin(route.physical);
        }
        note(route);
        use(route);
        beforeDescription(route, statement);
    }

    /** A statement goes on to write, other than by its text: by its result, or by a large object. */
    void beforeWrite(Route route, String call) throws SQLException {
        rules.write(route.place, () -> call + " of " + SqlText.brief(route.sql), route.physical);
        outside.requireNoFailureOn(route.physical.database());
        begin(route);
        beforeDescription(route, null);
    }

    private static void use(Route route) {
        if (route.physical.isInTransaction()) {
            route.physical.use().of(route.place);
        }
    }

    /** From now on, a statement and all later ones to its database are inside the transaction, if there is one. */
    public void begin(Route route) throws SQLException {
        physical.begin(route.physical);
        use(route);
    }

    boolean isOutside(Route route) {
        return !settings.autoCommit && !route.physical.isInTransaction();
    }

    SQLException failed(Route route, SQLException failure) {
        if (isOutside(route) && ConnectionLoss.isFromServer(failure)) {
            outside.failedOn(route.physical.database());
        }
        return ConnectionLoss.explain(failure, route);
    }

    /** The search path as the statement needs it. Behind a pooler it holds within a transaction only. */
    void beforeDescription(Route route, @Nullable Statement statement) throws SQLException {
        boolean dependent = route.analysis.needsSearchPath();
        if (dependent) {
            StatementRules.requireOwn(route.physical, route.place);
        }
        if (dependent && route.physical.path().isPooled()) {
            if (settings.autoCommit) {
                route.physical.statementTransaction().begin(statement);
            } else {
                begin(route);
            }
        }
        route.physical.pathAlignment().align(route.schema, dependent);
    }

    void succeeded(Route route) {
        replicas.answered(route.physical);
    }

    void afterExecution(Route route) throws SQLException {
        route.physical.pathAlignment().ran(route.analysis);
        route.physical.statementTransaction().end();
    }

    private void note(Route route) {
        if (!settings.autoCommit) {
            outside.prepared();
            if (route.analysis.traits().writes()) {
                binding.bind(route.place, route.physical.database());
            }
            if (route.analysis.traits().locks()) {
                route.physical.expectTransactionId();
            }
        }
    }

    /** The connection for something that asks no shard, and needs no transaction: nobody is waited for. */
    public PhysicalConnection current(String what) throws SQLException {
        int place = Place.require(what, settings);
        return physical.on(moves.homeAsKnown(place), place, !settings.defersBegin());
    }

    private PhysicalConnection ofShard(String what, boolean begins) throws SQLException {
        int place = Place.require(what, settings);
        return physical.on(moves.home(place, Homes.NO_TIMEOUT), place, begins);
    }

    PhysicalConnection described(String what) throws SQLException {
        return ofShard(what, !settings.defersBegin());
    }

    @Nullable
    String currentSchema() {
        OptionalInt place = settings.currentPlace();
        return place.isEmpty() ? null : databases.schemaOf(place.getAsInt());
    }

    /** The current shard's connection if there is a shard, else any that can be had: for what is the same everywhere. */
    PhysicalConnection any() throws SQLException {
        return settings.currentPlace().isPresent()
                ? described("the database's properties")
                : physical.any(!settings.defersBegin());
    }

    /** Gives the application the driver's own connection, whose unqualified names mean the current shard's tables. */
    public <T> T handOut(Class<T> type) throws SQLException {
        PhysicalConnection target = ofShard("unwrap to " + type.getName(), true);
        try {
            int place = settings.currentPlace().orElseThrow();
            StatementRules.requireOwn(target, place);
            if (!settings.isReadOnly()) { // what is done over it is not seen
                rules.write(place, () -> "unwrap to " + type.getName(), target);
            }
            target.pathAlignment().align(databases.schemaOf(place), true);
            return target.handOut(type, place);
        } finally {
            releaseIfIdle(target);
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

    /** A text with the placeholder replaced, if there is a current shard. */
    public String inCurrentSchema(String sql) {
        String schema = currentSchema();
        return schema == null ? sql : analyses.of(sql).inSchema(schema);
    }
}
