package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.session.Session;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings that an application has made on a routed connection. They are only recorded here; what was never set is
 * null and leaves a physical connection as its pool has configured it.
 */
public final class ConnectionSettings {
    private static final Map<Integer, String> LEVELS = Map.of(
            Connection.TRANSACTION_READ_UNCOMMITTED, "READ UNCOMMITTED",
            Connection.TRANSACTION_READ_COMMITTED, "READ COMMITTED",
            Connection.TRANSACTION_REPEATABLE_READ, "REPEATABLE READ",
            Connection.TRANSACTION_SERIALIZABLE, "SERIALIZABLE");

    private final boolean deferredBegin;
    private final RequestKey request;

    public boolean autoCommit = true;

    /** Whether what is read must not need the snapshot of a transaction. */
    public boolean anySnapshot = true;

    /** Whether statements go after shards that move. */
    public boolean following = true;

    /** Whether ids are being reserved outside of the transaction. */
    public boolean reserving;

    /** The shard of the JDBC sharding key. */
    public Target.@Nullable Single keyed;

    /** The shard of the tenant of the session that has this connection; null if it has none. */
    public Target.@Nullable Single tenant;

    /** Whether a session has said so, which restores the schema when it releases the connection. */
    public boolean ofSession;

    @Nullable
    public Boolean readOnly;

    @Nullable
    public Integer isolation;

    /** The transaction's, in order, by their names on each database. */
    final List<String> savepoints = new ArrayList<>(0);

    @Nullable
    public Integer holdability;

    @Nullable
    public Timeout networkTimeout;

    /** A network timeout in milliseconds; 0 is none. */
    public record Timeout(Executor executor, int milliseconds) {}

    /**
     * No settings yet.
     *
     * @param request the key of the current request, for a connection without a key
     */
    public ConnectionSettings(boolean deferredBegin, RequestKey request) {
        this.deferredBegin = deferredBegin;
        this.request = request;
    }

    /** Finds the shard of the current request. */
    @FunctionalInterface
    public interface RequestKey {
        Target.@Nullable Single find();
    }

    /** Changes the isolation level of the transactions. */
    public void setIsolation(int level) throws SQLException {
        if (!LEVELS.containsKey(level)) {
            throw new SQLException("Not an isolation level: " + level + ".", "0A000");
        }
        isolation = level;
    }

    /** Refuses a negative timeout. */
    public static void requireTimeout(int timeout, String unit) throws SQLException {
        if (timeout < 0) {
            throw new SQLException("A timeout is not negative: " + timeout + " " + unit + ".", "22023");
        }
    }

    /**
     * Takes the shard of a session's tenant from the schema by which the session names it; any other schema ends that.
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
     * Where statements go now, unless their text says otherwise: the innermost scope, or the shard of the session's tenant, the sharding
     * key, or the key of the current request. Null for nowhere.
     *
     * @throws NoShardException if the application has opened the scope of another shard than that of the session's tenant
     */
    public Target.@Nullable Single currentTarget() {
        return targetIn(ShardContext.target());
    }

    /** Returns the same for a scope that was asked already. */
    public Target.@Nullable Single targetIn(@Nullable Target scope) {
        if (tenant != null && scope instanceof Target.Shard && !scope.equals(tenant) && RoutedScope.isOfApplication()) {
            throw TargetErrors.ofTenant(tenant, scope);
        }
        return target(scope);
    }

    /** The same, where nothing is sent. */
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
        return keyed == null ? request.find() : keyed;
    }

    /** The same; it fails if there is none. {@code what} needs one, for the message. */
    public Target.Single requireTarget(String what) {
        Target.Single target = currentTarget();
        if (target == null) {
            throw unknown(what);
        }
        return target;
    }

    /** What to throw where no target is known for {@code what}. */
    public NoShardException unknown(String what) {
        return TargetErrors.unknown(what, ofSession, autoCommit);
    }

    public boolean isReadOnly() {
        return readOnly != null && readOnly;
    }

    /**
     * Whether there is a transaction whose plain queries stay outside of it. Not with an isolation level of
     * its own, which would be two round trips for each of them.
     */
    public boolean defersBegin() {
        return deferredBegin && !autoCommit && isolation == null;
    }

    /** Whether a transaction that begins in a session has one snapshot, which no rollback to a savepoint may end. */
    boolean haveSnapshot(Session session) {
        return isolation == null ? !session.readCommitted : isolation > Connection.TRANSACTION_READ_COMMITTED;
    }

    /**
     * Gives the transaction that begins here its isolation level, and its savepoints if it has a snapshot: one round trip, and nothing to
     * restore, where changing the session's level and back would be three.
     */
    void begin(Connection connection, boolean snapshot) throws SQLException {
        StringJoiner sql = new StringJoiner("; ");
        if (isolation != null) {
            sql.add("SET TRANSACTION ISOLATION LEVEL " + LEVELS.get(isolation));
        }
        if (snapshot) {
            savepoints.forEach(name -> sql.add("SAVEPOINT " + name));
        }
        if (sql.length() > 0) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql.toString());
            }
        }
    }
}
