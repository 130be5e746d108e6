package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.ShardSchemas;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the missing schemas of one database, and migrates its shards. One instance at a time; the others find nothing left to do.
 *
 * @param connection has the lock
 */
record DatabaseWork(String database, Connection connection, SchemaMigrations migrations, WantedMigrations wanted) {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseWork.class);
    private static final String COMPLETE = Sql.load(DatabaseWork.class, "complete_shard.sql");
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int SCHEMAS_PER_TRANSACTION = 50;

    /**
     * Does the work.
     *
     * @param only the shard that is migrated, of whatever database; null for all
     */
    void run(@Nullable Integer only) throws SQLException {
        try (SessionLock lock = SessionLock.take(database, connection, SessionLock.DATABASE)) {
            RunJournal.during(connection, RunJournal.Kind.SHARDS, migrations, () -> {
                forEach("schemas created", some(StoredShard::creating), SCHEMAS_PER_TRANSACTION, this::createSchemas);
                // Another instance may have worked until now.
                WantedMigrations now = wanted.learn(connection, database, StoredShard.readAll(connection), migrations)
                        .finishing();
                ShardMigrator migrator = new ShardMigrator(database, migrations, now);
                forEach(
                        "shards migrated",
                        some(shard ->
                                DatabaseState.lacksMigrations(shard, now) && (only == null || only == shard.shard())),
                        1,
                        shards -> migrator.migrate(connection, shards.get(0).shard()));
                if (only == null) {
                    refuseMoving(now);
                }
            });
        }
    }

    private interface Step {
        void on(List<StoredShard> shards) throws SQLException;
    }

    /** Creates the schemas of shards in one transaction; the shards are {@code ACTIVE} then. */
    private void createSchemas(List<StoredShard> shards) throws SQLException {
        Transaction.run(connection, () -> {
            for (StoredShard shard : shards) {
                ShardSchemas.create(connection, shard.shard());
                // A new shard has no leases; one that moves here brings its own row.
                Sql.execute(connection, COMPLETE.formatted(ShardSchema.nameOf(shard.shard()), shard.shard()));
            }
        });
    }

    /** Does so many shards at once, and logs the progress every few seconds and at the end. */
    private void forEach(String done, List<StoredShard> shards, int atOnce, Step task) throws SQLException {
        long reported = System.nanoTime();
        int finished = 0;
        for (List<StoredShard> some : Batches.of(shards, atOnce)) {
            task.on(some);
            finished += some.size();
            if (finished == shards.size() || System.nanoTime() - reported >= PROGRESS_NANOS) {
                reported = System.nanoTime();
                LOG.info("Database {}: {} of {} {}", database, finished, shards.size(), done);
            }
        }
    }

    private void refuseMoving(WantedMigrations now) throws SQLException {
        List<StoredShard> moving = some(shard -> DatabaseState.moveIsInTheWay(shard, now));
        if (!moving.isEmpty()) {
            int[] shards = moving.stream().mapToInt(StoredShard::shard).toArray();
            throw new ProvisioningException(
                    Reason.MOVING_SHARDS,
                    "Migrations are missing in shards of database " + database + " that are being moved: "
                            + ShardRanges.of(shards)
                            + ". All other shards are up to date. Finish the moves or abort them, then start again.");
        }
    }

    private List<StoredShard> some(Predicate<StoredShard> filter) throws SQLException {
        return Transaction.read(connection, () -> StoredShard.readAll(connection)).stream()
                .filter(filter)
                .toList();
    }
}
