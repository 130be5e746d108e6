package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.ShardSchemas;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.internal.parallel.ConnectionWorkers;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Creates the schemas of the shards that a database has been given, many per transaction. */
final class SchemaCreation {
    private static final int PER_TRANSACTION = 50;

    private SchemaCreation() {}

    /** Creates what is missing; the shards are {@code ACTIVE} then. */
    static void createAll(
            ConnectionWorkers workers, Connection connection, List<StoredShard> creating, ProgressMeter progress)
            throws SQLException {
        workers.run(connection, Batches.of(creating, PER_TRANSACTION), (one, some) -> {
            Transaction.run(one, () -> {
                for (StoredShard shard : some) {
                    ShardSchemas.create(one, shard.shard());
                    openLeases(one, shard.shard());
                }
                activate(one, some);
            });
            progress.add(some.size());
        });
    }

    /** A new shard has no leases; one that moves here brings its own row. */
    private static void openLeases(Connection connection, int shard) throws SQLException {
        Sql.execute(
                connection,
                "INSERT INTO " + ShardSchema.nameOf(shard)
                        + ".sharded_id_lease (node, jvm_nodes, window_start, window_end, server)"
                        + " SELECT -1, jvm_nodes, 0, 0, sharded_id.lease_stamp()"
                        + " FROM sharded_id.cluster");
    }

    private static void activate(Connection connection, List<StoredShard> shards) throws SQLException {
        Sql.update(
                connection,
                "UPDATE sharded_id.shard SET state = ? WHERE shard = ANY (cast(? AS int[]))",
                StoredShard.ACTIVE,
                shards.stream().map(shard -> Integer.toString(shard.shard())).toList());
    }
}
