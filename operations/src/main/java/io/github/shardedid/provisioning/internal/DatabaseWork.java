package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.ShardSchemas;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.ProvisioningListener;
import io.github.shardedid.provisioning.ProvisioningOptions;
import io.github.shardedid.provisioning.ProvisioningOptions.WhenBusy;
import io.github.shardedid.provisioning.ProvisioningProgress;
import io.github.shardedid.provisioning.ProvisioningProgress.Work;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.provisioning.ProvisioningRefusedException.Reason;
import io.github.shardedid.provisioning.ShardMigrationException;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the missing schemas of one database, and migrates its shards. */
final class DatabaseWork {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseWork.class);
    private static final int SCHEMAS_PER_TRANSACTION = 50;

    private final String database;
    private final Connection connection;
    private final ConnectionWorkers workers;
    private final SchemaMigrations migrations;
    private final WantedMigrations wanted;
    private final ProvisioningOptions options;

    DatabaseWork(
            String database,
            DataSource source,
            Connection connection,
            SchemaMigrations migrations,
            WantedMigrations wanted,
            ProvisioningOptions options) {
        this.database = database;
        this.connection = connection;
        this.workers = new ConnectionWorkers(source, options.connectionsPerDatabase());
        this.migrations = migrations;
        this.wanted = wanted;
        this.options = options;
    }

    /** Does the work. One instance at a time; the others find nothing left to do. */
    void run() throws SQLException {
        run(this::migrateAll);
    }

    /** Creates all schemas, but migrates one shard at most, or none if one is complete. The consumer receives it; without a consumer, there is none. */
    void runFirst(@Nullable First first) throws SQLException {
        run(now -> {
            List<StoredShard> complete = some(shard -> DatabaseState.isComplete(shard, now));
            List<StoredShard> behind = some(shard -> DatabaseState.lacksMigrations(shard, now));
            if (first != null && !complete.isEmpty()) {
                first.done(complete.get(0).shard(), null);
            } else if (first != null && !behind.isEmpty()) {
                int shard = behind.get(0).shard();
                try {
                    new ShardMigrator(database, migrations, now).migrate(connection, shard);
                    first.done(shard, null);
                } catch (ShardMigrationException e) {
                    first.done(shard, e);
                }
            }
        });
    }

    /** Receives a shard that has been migrated, and why that failed. */
    interface First {
        void done(int shard, @Nullable ShardMigrationException failure);
    }

    private interface Migration {
        void run(WantedMigrations now) throws SQLException;
    }

    private void run(Migration migration) throws SQLException {
        RunJournal journal = new RunJournal(connection, RunJournal.Kind.SHARDS, migrations);
        locked(
                lock(options.whenBusy()),
                () -> journal.during(() -> {
                    createSchemas(some(StoredShard::creating));
                    // Another instance may have worked until now.
                    WantedMigrations now = wanted.learn(
                                    connection, database, StoredShard.readAll(connection), migrations)
                            .finishing();
                    migration.run(now);
                }));
    }

    /** Creates the schemas of shards, many per transaction; the shards are {@code ACTIVE} then. */
    private void createSchemas(List<StoredShard> creating) throws SQLException {
        ProgressMeter progress = meter(Work.SCHEMAS, creating);
        workers.run(connection, Batches.of(creating, SCHEMAS_PER_TRANSACTION), (one, some) -> {
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

    private void migrateAll(WantedMigrations now) throws SQLException {
        ShardMigrator migrator = new ShardMigrator(database, migrations, now);
        forEachBehind(now, Work.MIGRATIONS, migrator::migrate);
        refuseMoving(now, "All other shards are up to date. Finish the moves or abort them, then start again.");
    }

    /** Repairs the histories of those schemas whose migrations are not complete, and forgets runs that have not ended. */
    void repair(@Nullable GlobalWork global) throws SQLException {
        WhenBusy whenBusy = options.whenBusy() == WhenBusy.GO_ON ? WhenBusy.WAIT : options.whenBusy();
        locked(lock(whenBusy), () -> {
            WantedMigrations now = wanted.learn(connection, database, StoredShard.readAll(connection), migrations);
            forEachBehind(
                    now,
                    Work.REPAIRS,
                    (own, shard) ->
                            migrations.repair(own, ShardSchema.nameOf(shard), SchemaMigrations.where(database, shard)));
            refuseMoving(
                    now,
                    "The histories of the others are repaired. Finish the moves or abort them, then repair again.");
            RunJournal.forget(connection, RunJournal.Kind.SHARDS);
        });
        GlobalWork.repair(global, database, connection);
    }

    private void forEachBehind(WantedMigrations now, Work work, ConnectionWorkers.Task<Integer> task)
            throws SQLException {
        List<StoredShard> behind = some(shard -> DatabaseState.lacksMigrations(shard, now));
        ProgressMeter meter = meter(work, behind);
        workers.run(connection, behind, (own, shard) -> {
            task.on(own, shard.shard());
            meter.add(1);
        });
    }

    private static void locked(@Nullable SessionLock taken, Sql.Work work) throws SQLException {
        try (SessionLock lock = taken) {
            if (lock != null) {
                work.run();
            }
        }
    }

    /** Returns null if the work is left to the instance that has the lock. */
    private @Nullable SessionLock lock(WhenBusy whenBusy) throws SQLException {
        SessionLock lock = SessionLock.tryOnDatabase(connection);
        if (lock != null) {
            return lock;
        }
        if (whenBusy == WhenBusy.FAIL) {
            throw new ProvisioningRefusedException(
                    Reason.BUSY,
                    "Another instance is provisioning database " + database
                            + ". Start again when it has finished, or configure this one to wait for it.");
        }
        if (whenBusy == WhenBusy.GO_ON && some(StoredShard::creating).isEmpty()) {
            LOG.info(
                    "Database {}: another instance is migrating its shards; continuing without waiting for it",
                    database);
            return null;
        }
        return SessionLock.onDatabase(database, connection);
    }

    private void refuseMoving(WantedMigrations now, String rest) throws SQLException {
        List<StoredShard> moving = some(shard -> DatabaseState.moveIsInTheWay(shard, now));
        if (!moving.isEmpty()) {
            throw new ProvisioningRefusedException(
                    Reason.MOVING_SHARDS,
                    "Migrations are missing in shards of database " + database
                            + " that are being moved: "
                            + ShardRanges.of(
                                    moving.stream().mapToInt(StoredShard::shard).toArray())
                            + ". " + rest);
        }
    }

    private List<StoredShard> some(Predicate<StoredShard> filter) throws SQLException {
        return Transaction.read(connection, () -> StoredShard.readAll(connection)).stream()
                .filter(filter)
                .toList();
    }

    private ProgressMeter meter(Work work, List<StoredShard> shards) {
        return new ProgressMeter(database, work, shards.size(), options.listener());
    }

    /** Counts the shards that are complete, and logs and reports the progress every few seconds and at the end. */
    private static final class ProgressMeter {
        private static final long EVERY = TimeUnit.SECONDS.toNanos(3);

        private final String database;
        private final Work work;
        private final int total;
        private final ProvisioningListener listener;
        private final long began = System.nanoTime();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicLong reported = new AtomicLong(began);

        ProgressMeter(String database, Work work, int total, ProvisioningListener listener) {
            this.database = database;
            this.work = work;
            this.total = total;
            this.listener = listener;
        }

        /** Adds shards that are complete. */
        void add(int shards) {
            int now = done.addAndGet(shards);
            long time = System.nanoTime();
            long last = reported.get();
            if (now == total || (time - last >= EVERY && reported.compareAndSet(last, time))) {
                ProvisioningProgress progress =
                        new ProvisioningProgress(database, work, now, total, Duration.ofNanos(time - began));
                LOG.info("{}", progress);
                listener.progress(progress);
            }
        }
    }
}
