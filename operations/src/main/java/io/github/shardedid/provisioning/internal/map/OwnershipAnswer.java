package io.github.shardedid.provisioning.internal.map;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.topology.ShardOwnership;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a database owns.
 *
 * @param clusterId its cluster, or null if it was never provisioned
 * @param shards those it serves, and those that have left it
 */
public record OwnershipAnswer(@Nullable UUID clusterId, List<ShardOwnership> shards) {
    /** Asks, in one transaction. A database that was never provisioned owns nothing. */
    public static OwnershipAnswer ask(String name, Connection connection) throws SQLException {
        return Transaction.read(connection, () -> answer(name, connection));
    }

    private static OwnershipAnswer answer(String name, Connection connection) throws SQLException {
        if (!Sql.is(connection, "SELECT to_regclass('sharded_id.cluster') IS NOT NULL")) {
            return new OwnershipAnswer(null, List.of());
        }
        StoredCluster stored = StoredCluster.read(connection);
        if (stored == null) {
            return new OwnershipAnswer(null, List.of());
        }
        if (!stored.databaseName().equals(name)) {
            throw new ProvisioningRefusedException(
                    Reason.WRONG_DATABASE,
                    "The database asked as " + name + " was provisioned under the name "
                            + stored.databaseName() + ". Are two URLs exchanged? Configure it as "
                            + stored.databaseName()
                            + ".");
        }
        return new OwnershipAnswer(
                stored.clusterId(),
                StoredShard.readAll(connection).stream()
                        .map(shard -> shard.ownership(name))
                        .flatMap(Stream::ofNullable)
                        .toList());
    }
}
