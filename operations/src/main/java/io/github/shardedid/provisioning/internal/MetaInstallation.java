package io.github.shardedid.provisioning.internal;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.FunctionSql;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Installs schema {@code sharded_id} of a database, with tables, functions and settings, in one transaction.
 *
 * @param other what another database of the cluster stores, to which shards may have been added; null if the cluster is new
 */
record MetaInstallation(ClusterDefinition definition, UUID clusterId, @Nullable StoredCluster other) {
    private static final String INSERT = Sql.load(MetaInstallation.class, "insert_cluster.sql");
    private static final String GIVE = Sql.load(MetaInstallation.class, "give_shards.sql");

    /**
     * Stores the settings in a database.
     *
     * @param joins whether the cluster is provisioned, so that the database owns nothing; otherwise it stores its first ownership, and
     *     is not yet provisioned, because the others have not stored theirs
     */
    void install(String name, Connection connection, boolean joins) throws SQLException {
        SessionLock.prepare(connection);
        Transaction.run(connection, () -> {
            SessionLock.forTransaction(connection);
            Sql.execute(connection, FunctionSql.metaSchema());
            StoredCluster stored = StoredCluster.read(connection);
            if (stored == null) {
                store(name, connection, joins);
            } else {
                checkSame(name, stored);
            }
            if (!joins && (stored == null || !stored.provisioned())) {
                // Until the cluster is provisioned no shard has a schema, so that a changed configuration still takes
                // effect.
                Sql.execute(connection, "DELETE FROM sharded_id.shard");
                ShardRanges initial = definition.initialShards().getOrDefault(name, ShardRanges.NONE);
                own(connection, initial.shards().mapToObj(Integer::toString).toList());
            }
        });
    }

    private void store(String name, Connection connection, boolean joins) throws SQLException {
        IdLayout layout = definition.layout();
        int shardCount = other == null ? definition.shardCount() : other.shardCount();
        int keyShards = other == null ? shardCount : other.keyShards();
        int openShards = other == null ? shardCount : other.openShards();
        Sql.execute(connection, FunctionSql.functions(layout, keyShards, FunctionSql.CLOCK));
        Sql.update(
                connection,
                INSERT,
                clusterId,
                name,
                layout.epoch().toEpochMilli(),
                layout.unit().name(),
                layout.timestampBits(),
                layout.shardBits(),
                layout.sequenceBits(),
                layout.jvmNodes(),
                shardCount,
                keyShards,
                openShards,
                openShards == shardCount,
                StoredCluster.CURRENT_SCHEMA_VERSION,
                joins);
    }

    /** Another instance, configured with other databases, may have provisioned the database since its inspection. */
    private void checkSame(String name, StoredCluster stored) {
        if (!stored.clusterId().equals(clusterId) || !stored.databaseName().equals(name)) {
            throw new ProvisioningException(
                    Reason.WRONG_DATABASE,
                    "Database " + name + " has just been provisioned as "
                            + stored.databaseName() + " of cluster " + stored.clusterId() + ", not of " + clusterId
                            + ". Are two instances started at once with different databases? Give them the same.");
        }
    }

    /** Gives shards to a database, which does not know them yet. */
    static void own(Connection connection, List<String> shards) throws SQLException {
        Sql.update(connection, GIVE, shards);
    }

    /** Stores that every database has stored its first ownership. */
    static void markProvisioned(Connection connection) throws SQLException {
        Sql.execute(connection, "UPDATE sharded_id.cluster SET provisioned = true WHERE NOT provisioned");
    }
}
