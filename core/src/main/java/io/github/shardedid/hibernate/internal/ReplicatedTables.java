package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.GlobalDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides at the start whether statements of shards may read replicated tables: if each database that can be reached has them. Else the
 * entities are global ones like others, which are read from the global database only.
 *
 * <p>A copy is complete if it has the trigger that refuses writes, since both are committed by one transaction; and it is fed if it has an
 * enabled subscription, however far behind. A database that cannot be reached is not waited for; if it has no copy when it comes back,
 * statements that join with one fail there.
 */
record ReplicatedTables(RoutingDataSource source, @Nullable CheckedStart start) {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedTables.class);

    private static final String COPIED = RoutingControl.fileOf(ReplicatedTables.class, "copied_tables.sql");

    /** Returns whether all can be read in the databases of shards. An application that starts creates the copies before, if it may. */
    boolean areUsable(Set<String> tables) {
        GlobalDatabase global = source.global();
        if (tables.isEmpty() || global == null) {
            return false;
        }
        Set<String> lacking = new TreeSet<>();
        Runnable check =
                () -> StartChecks.shards(source.cluster().map().get(), null).forEach((database, shards) -> {
                    if (!database.equals(global.database()) && !isCopied(database, shards.get(0), global, tables)) {
                        lacking.add(database);
                    }
                });
        if (start == null) {
            check.run();
        } else {
            start.replicate(tables);
            start.check(check);
        }
        if (!lacking.isEmpty()) {
            LOG.warn(
                    "Databases {} have no copies of the replicated tables {}, so these are read from the global database {}"
                            + " only, and are not joined with tables of shards",
                    lacking,
                    tables,
                    global.database());
        }
        return lacking.isEmpty();
    }

    private boolean isCopied(String database, int shard, GlobalDatabase global, Set<String> tables) {
        try (ShardContext.Scope scope = ShardContext.open(Target.shard(shard));
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(COPIED)) {
            query.setString(1, global.schema());
            query.setArray(2, connection.createArrayOf("text", tables.toArray()));
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getInt(1) == tables.size();
            }
        } catch (SQLException e) {
            LOG.warn(
                    "Database {} could not be asked for its copies of replicated tables: {}", database, e.getMessage());
            return false;
        }
    }
}
