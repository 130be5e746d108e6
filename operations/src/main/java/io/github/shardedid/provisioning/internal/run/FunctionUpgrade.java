package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.RetryPolicy;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.FunctionSql;
import io.github.shardedid.operations.internal.schema.StoredCluster;
import io.github.shardedid.provisioning.internal.inspection.ClusterValidation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upgrades schema {@code sharded_id} of a database to the version of this library. The functions of the first version
 * lock a sequence in another way. So the new ones take both locks at first, until no transaction is open that may be
 * within a call of the old ones.
 */
final class FunctionUpgrade {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionUpgrade.class);
    private static final Duration POLL = Duration.ofMillis(100);

    /** Before, every role could call all functions; roles with the other privileges for ids may still generate them. */
    private static final String GRANT_AS_BEFORE =
            """
            SELECT sharded_id.grant_writing(CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END)
            FROM (SELECT DISTINCT a.grantee FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              CROSS JOIN LATERAL aclexplode(c.relacl) a WHERE c.relkind = 'S' AND n.nspname ~ '^shard_[0-9]+$'
              AND a.privilege_type = 'UPDATE' AND a.grantee <> c.relowner) a
            """;

    /** The version since which generating ids needs a privilege. */
    private static final int CLOSED_FUNCTIONS = 2;

    private final Duration wait;

    /** Waits as long for transactions that were open before; a later run completes the upgrade. */
    FunctionUpgrade(Duration wait) {
        this.wait = wait;
    }

    /** One instance at a time; the others find nothing left to do. */
    void run(String database, Connection connection) throws SQLException {
        try (SessionLock lock = SessionLock.onDatabase(database, connection);
                SessionLock nodes = SessionLock.tryOnJvmNodes(connection)) {
            StoredCluster stored = StoredCluster.read(connection);
            if (stored == null || stored.isCurrent()) {
                return;
            }
            ClusterValidation.requireFixedNodes(database, nodes == null || stored.nodesChange());
            Transaction.run(connection, () -> {
                Sql.execute(connection, FunctionSql.metaSchema());
                Sql.execute(
                        connection, FunctionSql.transitional(stored.layout(), stored.shardCount(), FunctionSql.CLOCK));
                if (stored.schemaVersion() < CLOSED_FUNCTIONS) {
                    Sql.execute(connection, GRANT_AS_BEFORE);
                }
            });
            String open = awaitOld(OldTransactions.now(connection));
            if (open != null) {
                LOG.warn(
                        "Database {}: the functions that generate ids are replaced at the next start, and are slower until then: {}",
                        database,
                        open);
                return;
            }
            Transaction.run(connection, () -> finish(connection, stored));
            LOG.info("Database {}: schema sharded_id has version {}", database, StoredCluster.CURRENT_SCHEMA_VERSION);
        }
    }

    private static void finish(Connection connection, StoredCluster stored) throws SQLException {
        Sql.execute(connection, FunctionSql.functions(stored.layout(), stored.shardCount(), FunctionSql.CLOCK));
        Sql.update(
                connection, "UPDATE sharded_id.cluster SET schema_version = ?", StoredCluster.CURRENT_SCHEMA_VERSION);
    }

    private @Nullable String awaitOld(OldTransactions old) throws SQLException {
        try {
            return RetryPolicy.every(POLL, wait).await(old::stillOpen);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return old.stillOpen();
        }
    }
}
