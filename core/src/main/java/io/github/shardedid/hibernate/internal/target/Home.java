package io.github.shardedid.hibernate.internal.target;

import io.github.shardedid.hibernate.internal.writing.FlushPlan;
import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.ShardContext;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Where a row is: in a shard, or in the global database.
 *
 * @param shard the shard; -1 for the global database
 */
public record Home(int shard) {
    static final Home GLOBAL = new Home(-1);

    /** The home of a row; null for a row of a sharded entity that has no id yet. */
    public static @Nullable Home of(Sharding sharding, @Nullable String entityName, @Nullable Object id) {
        if (sharding.mappings().isGlobal(entityName)) {
            return GLOBAL;
        }
        return id instanceof Number number && sharding.mappings().find(entityName) != null
                ? new Home(sharding.cluster().shardOf(number.longValue()))
                : null;
    }

    public boolean isGlobal() {
        return shard < 0;
    }

    public <T extends @Nullable Object> T call(Supplier<T> work) {
        return isGlobal() ? ShardContext.callGlobal(work) : ShardContext.call(shard, work);
    }

    /** A row in messages. */
    public static String row(String entityName, @Nullable Object id) {
        return entityName + "#" + id;
    }

    /** Says that the session's transaction is about to write here; refused if it has written elsewhere. */
    public void declareWrite(SharedSessionContractImplementor session, Supplier<String> what) {
        if (FlushPlan.isExecuting(session, this)) {
            return;
        }
        try {
            RoutedConnection connection = session.getJdbcCoordinator()
                    .getLogicalConnection()
                    .getPhysicalConnection()
                    .unwrap(RoutedConnection.class);
            if (isGlobal()) {
                connection.declareGlobalWrite(what.get());
            } else {
                connection.declareWrite(shard, what);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The session's connection is not one of the RoutingDataSource that Hibernate was configured with",
                    e);
        }
    }

    @Override
    public String toString() {
        return isGlobal() ? "the global database" : "shard " + shard;
    }
}
