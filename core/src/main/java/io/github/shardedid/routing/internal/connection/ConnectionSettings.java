package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.session.Session;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings that an application has made on a routed connection. They are only recorded here; what was never
 * set is null and leaves a physical connection as its pool has configured it.
 *
 * <p>Spring and Hibernate set auto-commit, read-only mode and isolation when a transaction begins, before it is
 * known which database it needs. So these calls must not reach a database. {@link
 * PhysicalConnection#replay} applies them to each physical connection when it is taken from its pool.
 *
 * <p>The object also answers where statements go that name no target by themselves, as that depends on the
 * connection. It is shared by all parts of one routed connection, and used by one thread at a time.
 */
public final class ConnectionSettings {
    /** The levels as PostgreSQL spells them. It accepts READ UNCOMMITTED, and treats it as READ COMMITTED. */
    private static final Map<Integer, String> LEVELS = Map.of(
            Connection.TRANSACTION_READ_UNCOMMITTED, "READ UNCOMMITTED",
            Connection.TRANSACTION_READ_COMMITTED, "READ COMMITTED",
            Connection.TRANSACTION_REPEATABLE_READ, "REPEATABLE READ",
            Connection.TRANSACTION_SERIALIZABLE, "SERIALIZABLE");

    private static final String HOW_TO_NAME_A_SHARD =
            " Name one with ShardContext.run(shard, ...), call a repository method with an id or a shard key, or mark a"
                    + " query with @AllShards. A table that exists once, such as one of a library, lives in the global database:"
                    + " use ShardContext.runGlobal(...), or the bean globalDataSource of the starter.";

    private static final String OF_ROOT =
            " The tenant of the session names none: it is the root tenant (isRoot), or no value of the shard key.";
    private static final String OUTSIDE =
            " Outside of a transaction, JDBC has a connection of its own: where the tenant of a session names the shard, call it in a"
                    + " transaction.";

    /** True if plain queries of a transaction may run in autocommit, by the options of the data source. */
    private final boolean deferredBegin;

    private final Supplier<Target.@Nullable Single> request;

    public boolean autoCommit = true;

    /**
     * True if the reads over this connection need not share the snapshot of a transaction. It is false for
     * queries over several shards within a transaction without an isolation level of its own: whether that has
     * a snapshot is known from the session's default only, and is checked when the connection is taken.
     */
    public boolean anySnapshot = true;

    /** False while statements must not wait for a shard that moves, nor follow it to another connection. */
    public boolean following = true;

    /**
     * True while ids are being reserved outside of the transaction. Such a statement writes, but is left in
     * autocommit.
     */
    public boolean reserving;

    /** True if the transaction is about to claim values that are unique over all shards: it begins with its first reservation of ids. */
    public boolean claiming;

    /**
     * True if the connection is used beside one that its caller holds meanwhile: it takes connections from the
     * read pools, as a caller that waits for a second one of the same pool could wait for itself.
     */
    public boolean beside;

    /** The shard of the JDBC sharding key; null if the connection has none. */
    public Target.@Nullable Single keyed;

    /** The shard of the tenant of the session that has this connection; null if it has none. */
    public Target.@Nullable Single tenant;

    /**
     * True if a session of Hibernate has named its tenant to this connection. The session restores the schema
     * when it releases the connection, so that the next caller does not inherit the tenant.
     */
    public boolean ofSession;

    /** The read-only mode; null if it was never set. */
    @Nullable
    public Boolean readOnly;

    /** The isolation level of transactions; null for the default of each session. */
    @Nullable
    public Integer isolation;

    /**
     * The names of the transaction's savepoints, in the order in which they were set, as each database knows
     * them.
     */
    final List<String> savepoints = new ArrayList<>(0);

    /**
     * Creates settings of which none is made.
     *
     * @param deferredBegin whether plain queries of a transaction may run in autocommit
     * @param request finds the shard of the current request, for a connection without a key; null if it names none
     */
    public ConnectionSettings(boolean deferredBegin, Supplier<Target.@Nullable Single> request) {
        this.deferredBegin = deferredBegin;
        this.request = request;
    }

    /**
     * Changes the isolation level of the transactions that begin from now on.
     *
     * @throws SQLException if JDBC or PostgreSQL has no such level
     */
    public void setIsolation(int level) throws SQLException {
        if (!LEVELS.containsKey(level)) {
            throw new SQLException("Not an isolation level: " + level + ".", "0A000");
        }
        isolation = level;
    }

    /**
     * Refuses a negative timeout, as the driver would. It is refused here, since there may be no driver's
     * connection yet.
     *
     * @param unit the unit, for the message
     */
    public static void requireTimeout(int timeout, String unit) throws SQLException {
        if (timeout < 0) {
            throw new SQLException("A timeout is not negative: " + timeout + " " + unit + ".", "22023");
        }
    }

    /**
     * Takes the shard of a session's tenant from the schema by which the session names it; any other schema
     * ends that.
     *
     * <p>Hibernate has no other method that passes something of a session to its connection. So the schema
     * carries the number of the shard, and nothing is sent to a server.
     *
     * @return false if the connection belongs to no session with a tenant, so that the schema is one
     */
    public boolean setTenant(@Nullable String schema) {
        if (schema != null && schema.startsWith(SchemaPlaceholder.OF_TENANT)) {
            String number = schema.substring(SchemaPlaceholder.OF_TENANT.length());
            tenant = number.isEmpty() ? null : Target.shard(Integer.parseInt(number));
            ofSession = true;
            return true;
        } else if (!ofSession) {
            return false;
        }
        tenant = null;
        ofSession = false;
        return true;
    }

    /**
     * Returns where statements go now, unless their text says otherwise. What is nearer to the statement
     * decides:
     *
     * <ol>
     *   <li>The innermost scope of {@link ShardContext}. One of several shards is no single target.
     *   <li>The shard of the session's tenant.
     *   <li>The JDBC sharding key of the connection.
     *   <li>The key of the current request.
     * </ol>
     *
     * <p>There is no default: without any of them it is null, and the statement is refused. To guess a shard
     * would write rows where no lookup by their ids finds them.
     *
     * @throws NoShardException if the application has opened the scope of another shard than that of the
     *     session's tenant
     */
    public Target.@Nullable Single currentTarget() {
        return targetIn(ShardContext.target());
    }

    /**
     * Returns the current target for a scope that the caller has asked for already, as {@link #currentTarget}
     * does. So a statement is decided by one scope.
     *
     * @param scope the innermost scope; null if none is open
     */
    public Target.@Nullable Single targetIn(@Nullable Target scope) {
        if (tenant != null && scope instanceof Target.Shard && !scope.equals(tenant) && RoutedScope.isOfApplication()) {
            throw new NoShardException(
                    "The session's tenant has its rows in " + tenant + ", but the open scope is that of "
                            + scope
                            + ", where this session finds none of them. Nothing was sent. Call this without a scope, or in a session of a"
                            + " tenant of " + scope + ", or of the root tenant.");
        }
        return target(scope);
    }

    /**
     * Returns the current target for an answer that sends nothing, such as the name of the schema. It does not
     * refuse a scope beside the tenant, since a refusal belongs to a statement.
     */
    public Target.@Nullable Single describedTarget() {
        return target(ShardContext.target());
    }

    private Target.@Nullable Single target(@Nullable Target scope) {
        if (scope != null) {
            return scope instanceof Target.Single single ? single : null;
        } else if (tenant != null) {
            return tenant;
        }
        // Asked each time: what a session knows of its rows must not differ from where its statements go.
        return keyed == null ? request.get() : keyed;
    }

    /**
     * Returns the current target, and fails if there is none.
     *
     * @param what what needs a target, for the message
     */
    public Target.Single requireTarget(String what) {
        Target.Single target = currentTarget();
        if (target == null) {
            throw unknown(what);
        }
        return target;
    }

    /**
     * Returns the exception to throw where no target is known.
     *
     * @param what what needs a target, for the message
     */
    public NoShardException unknown(String what) {
        return new NoShardException("No shard is known for: " + what + "."
                + (ofSession ? OF_ROOT : autoCommit ? OUTSIDE : "") + HOW_TO_NAME_A_SHARD);
    }

    /**
     * Returns what to throw where a statement would go elsewhere than the scope says in which it is executed.
     *
     * @param prepared where it would go
     */
    public SQLException differs(String sql, Object prepared) {
        Target now = currentTarget();
        Target scope = now == null ? ShardContext.target() : now;
        return new SQLException(
                "This statement was prepared, or its batch begun, in the scope of " + prepared
                        + ", and would now be executed in that of " + (scope == null ? "no shard" : scope)
                        + "; refused, and not sent, was " + SqlText.brief(sql)
                        + ". Prepare it again in the scope in which it is executed.",
                "55000");
    }

    public boolean isReadOnly() {
        return readOnly != null && readOnly;
    }

    /**
     * Returns whether there is a transaction whose plain queries stay outside of it. That makes a transactional
     * read by id one round trip, and lets a connection go back to its pool before the transaction ends. It is
     * not done with an isolation level of the transaction, which would be two round trips for each query.
     */
    public boolean defersBegin() {
        return deferredBegin && !autoCommit && isolation == null;
    }

    /**
     * Returns whether a transaction that begins in a session has one snapshot, which no rollback to a savepoint
     * may end. Without a level that was set, the default of the session decides.
     */
    boolean haveSnapshot(Session session) {
        return isolation == null ? !session.readCommitted : isolation > Connection.TRANSACTION_READ_COMMITTED;
    }

    /**
     * Returns what a transaction begins with, empty for nothing: its isolation level and, if it has a
     * snapshot, its savepoints. That is one round trip, and nothing to restore; to change the session's level
     * and back would be three. The driver sends BEGIN along with it.
     *
     * <p>A transaction without a snapshot needs no savepoints from before its begin: a rollback to one of them
     * undoes all that it has done on this database.
     *
     * @param snapshot whether the transaction has one snapshot
     */
    String begin(boolean snapshot) {
        StringJoiner sql = new StringJoiner("; ");
        if (isolation != null) {
            sql.add("SET TRANSACTION ISOLATION LEVEL " + LEVELS.get(isolation));
        }
        if (snapshot) {
            savepoints.forEach(name -> sql.add("SAVEPOINT " + name));
        }
        return sql.toString();
    }
}
