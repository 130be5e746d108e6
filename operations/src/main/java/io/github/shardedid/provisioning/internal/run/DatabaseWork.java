package io.github.shardedid.provisioning.internal.run;

import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.operations.internal.schema.StoredShard;
import io.github.shardedid.provisioning.MovingShardsException;
import io.github.shardedid.provisioning.ProvisioningBusyException;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.ProvisioningOptions.WhenBusy;
import io.github.shardedid.provisioning.ProvisioningProgress.Work;
import io.github.shardedid.provisioning.internal.inspection.DatabaseState;
import io.github.shardedid.provisioning.internal.migration.FlywayMigrations;
import io.github.shardedid.provisioning.internal.migration.ShardMigrator;
import io.github.shardedid.provisioning.internal.migration.WantedMigrations;
import io.github.shardedid.provisioning.internal.parallel.ConnectionWorkers;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the missing schemas of one database, and migrates its shards. */
final class DatabaseWork {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseWork.class);

    private final FlywayMigrations migrations;
    private final WantedMigrations wanted;
    private final ProvisioningOptions options;

    DatabaseWork(FlywayMigrations migrations, WantedMigrations wanted, ProvisioningOptions options) {
        this.migrations = migrations;
        this.wanted = wanted;
        this.options = options;
    }

    /** One instance at a time; the others find nothing left to do. */
    void run(String database, DataSource source, Connection connection) throws SQLException {
        try (SessionLock lock = lock(database, connection)) {
            if (lock != null) {
                ConnectionWorkers workers = new ConnectionWorkers(source, options.connectionsPerDatabase());
                work(database, workers, connection);
            }
        }
    }

    /** Null: the work is left to the instance that has the lock. */
    private @Nullable SessionLock lock(String database, Connection connection) throws SQLException {
        SessionLock lock = SessionLock.tryOnDatabase(connection);
        if (lock != null) {
            return lock;
        }
        if (options.whenBusy() == WhenBusy.FAIL) {
            throw new ProvisioningBusyException("Another instance is provisioning database " + database
                    + ". Start again when it has finished, or configure this one to wait for it.");
        }
        if (options.whenBusy() == WhenBusy.GO_ON
                && some(connection, StoredShard::creating).isEmpty()) {
            LOG.info(
                    "Database {}: another instance is migrating its shards; continuing without waiting for it",
                    database);
            return null;
        }
        LOG.info("Database {}: waiting for another instance that is provisioning it", database);
        return SessionLock.onDatabase(connection);
    }

    private void work(String database, ConnectionWorkers workers, Connection connection) throws SQLException {
        List<StoredShard> creating = some(connection, StoredShard::creating);
        ProgressMeter schemas = meter(database, Work.SCHEMAS, creating);
        SchemaCreation.createAll(workers, connection, creating, schemas);
        // Another instance may have worked until now.
        WantedMigrations now = wanted.learn(connection, database, StoredShard.readAll(connection), migrations);
        List<StoredShard> behind = some(connection, shard -> DatabaseState.lacksMigrations(shard, now));
        ProgressMeter migrated = meter(database, Work.MIGRATIONS, behind);
        ShardMigrator migrator = new ShardMigrator(database, migrations, now);
        workers.run(connection, behind, (own, shard) -> {
            migrator.migrate(own, shard.shard());
            migrated.add(1);
        });
        refuseMoving(database, some(connection, shard -> DatabaseState.moveIsInTheWay(shard, now)));
    }

    /** Repairs the histories of those shards whose migrations are not complete. */
    void repair(String database, DataSource source, Connection connection) throws SQLException {
        try (SessionLock lock = lock(database, connection)) {
            if (lock != null) {
                ConnectionWorkers workers = new ConnectionWorkers(source, options.connectionsPerDatabase());
                repair(database, workers, connection);
            }
        }
    }

    private void repair(String database, ConnectionWorkers workers, Connection connection) throws SQLException {
        List<StoredShard> behind = some(connection, shard -> DatabaseState.lacksMigrations(shard, wanted));
        ProgressMeter repaired = meter(database, Work.REPAIRS, behind);
        workers.run(connection, behind, (own, shard) -> {
            migrations.repair(own, database, shard.shard());
            repaired.add(1);
        });
    }

    private static void refuseMoving(String database, List<StoredShard> moving) {
        if (!moving.isEmpty()) {
            throw new MovingShardsException("Migrations are missing in shards of database " + database
                    + " that are being moved: "
                    + ShardRanges.of(
                            moving.stream().mapToInt(StoredShard::shard).toArray())
                    + ". All other shards are up to date. Finish the moves or abort them, then start again.");
        }
    }

    private static List<StoredShard> some(Connection connection, Predicate<StoredShard> wanted) throws SQLException {
        return Transaction.read(connection, () -> StoredShard.readAll(connection)).stream()
                .filter(wanted)
                .toList();
    }

    private ProgressMeter meter(String database, Work work, List<StoredShard> shards) {
        return new ProgressMeter(database, work, shards.size(), options.listener());
    }
}
