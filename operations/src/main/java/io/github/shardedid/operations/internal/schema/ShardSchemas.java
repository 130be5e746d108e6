package io.github.shardedid.operations.internal.schema;

import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.internal.parallel.Lanes;
import io.github.shardedid.provisioning.internal.run.ProgressMeter;
import io.github.shardedid.provisioning.internal.run.RoleGrants;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Makes the schemas of the shards that a database has been given, many per transaction. */
public final class ShardSchemas {
    private static final int PER_TRANSACTION = 50;

    private ShardSchemas() {}

    /** Makes the schema of one shard with its {@code next_id} wrappers, in the caller's transaction. */
    public static void create(Connection connection, int shard) throws SQLException {
        Transaction.execute(connection, FunctionSql.shardSchema(shard));
        RoleGrants.grantIn(connection, ShardSchema.nameOf(shard));
    }

    /** Makes what is still to be made; the shards are {@code ACTIVE} then. */
    public static void createAll(Lanes lanes, Connection connection, List<StoredShard> creating, ProgressMeter progress)
            throws SQLException {
        List<List<StoredShard>> parts = new ArrayList<>();
        for (int first = 0; first < creating.size(); first += PER_TRANSACTION) {
            parts.add(creating.subList(first, Math.min(first + PER_TRANSACTION, creating.size())));
        }
        lanes.run(connection, parts, (one, some) -> {
            Transaction.run(one, () -> {
                for (StoredShard shard : some) {
                    create(one, shard.shard());
                    openLeases(one, shard.shard());
                }
                activate(one, some);
            });
            progress.add(some.size());
        });
    }

    /**
     * Nobody can hold a lease of a new shard; one that moves here brings its own row. While the number of nodes is being
     * changed from or to 0 the row says 0, which refuses leases until the change has been through with the shard.
     */
    private static void openLeases(Connection connection, int shard) throws SQLException {
        Transaction.execute(
                connection,
                "INSERT INTO " + ShardSchema.nameOf(shard)
                        + ".sharded_id_lease (node, jvm_nodes, window_start, window_end, server)"
                        + " SELECT -1, least(jvm_nodes, changing_to), 0, 0, sharded_id.lease_stamp()"
                        + " FROM sharded_id.cluster");
    }

    private static void activate(Connection connection, List<StoredShard> shards) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE sharded_id.shard SET state = ? WHERE shard = ?")) {
            for (StoredShard shard : shards) {
                update.setString(1, StoredShard.ACTIVE);
                update.setInt(2, shard.shard());
                update.addBatch();
            }
            update.executeBatch();
        }
    }
}
