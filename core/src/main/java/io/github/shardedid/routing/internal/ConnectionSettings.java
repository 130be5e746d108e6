package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings that an application has made on a routed connection. They are only recorded here; what was never set is
 * null and leaves a physical connection as its pool has configured it.
 */
final class ConnectionSettings {
    private static final Map<Integer, String> LEVELS = Map.of(
            Connection.TRANSACTION_READ_UNCOMMITTED, "READ UNCOMMITTED",
            Connection.TRANSACTION_READ_COMMITTED, "READ COMMITTED",
            Connection.TRANSACTION_REPEATABLE_READ, "REPEATABLE READ",
            Connection.TRANSACTION_SERIALIZABLE, "SERIALIZABLE");

    private final boolean deferredBegin;

    boolean autoCommit = true;

    /** Whether what is read must not need the snapshot of a transaction. */
    boolean anySnapshot = true;

    /** Whether statements go after shards that move. */
    boolean following = true;

    /** The shard of the JDBC sharding key. */
    @Nullable
    Integer keyedShard;

    @Nullable
    Boolean readOnly;

    @Nullable
    Integer isolation;

    @Nullable
    Integer holdability;

    @Nullable
    Timeout networkTimeout;

    @Nullable
    Properties clientInfo;

    @Nullable
    Map<String, Class<?>> typeMap;

    /** A network timeout in milliseconds; 0 is none. */
    record Timeout(Executor executor, int milliseconds) {}

    ConnectionSettings(boolean deferredBegin) {
        this.deferredBegin = deferredBegin;
    }

    static boolean isLevel(int level) {
        return LEVELS.containsKey(level);
    }

    /** The place to which statements go now, unless their text names another one. */
    OptionalInt currentPlace() {
        return ShardContext.isGlobal() ? OptionalInt.of(Place.GLOBAL) : currentShard();
    }

    /** The shard to which statements go now: that of the innermost scope, outside any that of the sharding key. */
    private OptionalInt currentShard() {
        OptionalInt scope = ShardContext.current();
        return keyedShard == null
                        || scope.isPresent()
                        || ShardContext.currentSet().isPresent()
                ? scope
                : OptionalInt.of(keyedShard);
    }

    boolean isReadOnly() {
        return readOnly != null && readOnly;
    }

    /**
     * Whether there is a transaction whose plain queries stay outside of it. Not with an isolation level of its own, nor
     * with client info, which would be two turns for each of them.
     */
    boolean defersBegin() {
        return deferredBegin && !autoCommit && isolation == null && clientInfo == null;
    }

    /**
     * Gives the transaction that begins here its isolation level: one turn, and nothing to restore, where changing the
     * session's level and back would be three.
     */
    void begin(Connection connection) throws SQLException {
        if (isolation != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL " + LEVELS.get(isolation));
            }
        }
    }
}
