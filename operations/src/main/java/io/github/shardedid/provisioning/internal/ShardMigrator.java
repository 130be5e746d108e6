package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.ShardSchemas;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the shards of one database by Flyway. If scripts are plain SQL, Flyway migrates the first of the shards at the same point, and the
 * others get the recorded statements in one transaction each. Where that is not possible, or fails, Flyway does it itself, so that its
 * rules and its messages hold.
 */
public final class ShardMigrator {
    private static final Logger LOG = LoggerFactory.getLogger(ShardMigrator.class);
    private static final String UNKNOWN = "unknown";

    /**
     * No fingerprint holds while Flyway runs, whose scripts commit one by one: it may be killed, or fail, between them. The number of
     * the shard lets no other shard be taken for one with the same scripts.
     */
    private static final String UNFINISHED = "UPDATE sharded_id.shard SET migrations = '" + WantedMigrations.UNFINISHED
            + "' || shard WHERE shard = ? AND migrations IS NOT NULL";

    /** By pg_depend, because pg_class has no index on the schema. */
    private static final String ROW = Sql.load(ShardMigrator.class, "shard_to_migrate.sql");

    /** A move of the shard, or another instance, waits for the end of the transaction. */
    private static final String LOCKED_ROW = ROW + "FOR NO KEY UPDATE OF s";

    private static final String HISTORY = Sql.load(ShardMigrator.class, "history_digest.sql");

    /** They run at the end of a transaction, which is not that of each script. */
    private static final String DEFERRED = Sql.load(ShardMigrator.class, "deferrable_triggers.sql");

    private final String database;
    private final SchemaMigrations migrations;
    private final WantedMigrations wanted;
    private final boolean replays;
    private final Map<String, Recorded> recordings = new HashMap<>();
    private final Set<String> unrepeatable = new HashSet<>(Set.of(UNKNOWN));

    public ShardMigrator(String database, SchemaMigrations migrations, WantedMigrations wanted) {
        this.database = database;
        this.migrations = migrations;
        this.wanted = wanted;
        this.replays = migrations.replays();
    }

    /**
     * A shard that has been migrated while its statements were recorded.
     *
     * @param standing the fingerprint of the shard, and of others that get the same statements
     */
    private record Recorded(MigrationRecording recording, @Nullable String standing) {}

    /** Does nothing if the database no longer owns the shard, or the shard is up to date. */
    public void migrate(Connection connection, int shard) throws SQLException {
        String start = start(connection, ROW, shard);
        if (start == null) {
            return;
        }
        Recorded recorded = recordings.get(start);
        if (recorded == null && !unrepeatable.contains(start)) {
            record(connection, shard, start);
        } else if (recorded == null
                || (!repeat(recorded, connection, shard, start) && start(connection, ROW, shard) != null)) {
            byFlyway(connection, connection, shard);
        }
    }

    private @Nullable String byFlyway(Connection connection, Connection lent, int shard) throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        Sql.update(connection, UNFINISHED, shard);
        migrations.migrate(lent, schema, "shard " + shard + " of database " + database);
        String own = wanted.fingerprint();
        String standing =
                own == null ? null : migrations.history(connection, schema).standing(own);
        remember(connection, shard, standing);
        return standing;
    }

    private void record(Connection connection, int shard, String start) throws SQLException {
        MigrationRecording recording = new MigrationRecording(connection, shard);
        String standing = byFlyway(connection, recording.recorded(), shard);
        String obstacle =
                Sql.is(connection, DEFERRED, ShardSchema.nameOf(shard)) ? "a deferrable trigger" : recording.obstacle();
        if (obstacle == null) {
            recordings.put(start, new Recorded(recording, standing));
        } else if (unrepeatable.add(start)) {
            LOG.info(
                    "Database {}: Flyway migrates each shard by itself, which takes longer, because of {}",
                    database,
                    obstacle);
        }
    }

    /** False if it failed; it was rolled back then. */
    private boolean repeat(Recorded recorded, Connection connection, int shard, String start) throws SQLException {
        String searchPath = SearchPath.of(connection);
        try {
            Transaction.run(connection, () -> {
                String now = start(connection, LOCKED_ROW, shard);
                if (now == null) {
                    return;
                }
                if (!start.equals(now)) {
                    throw new SQLException("Shard " + shard + " has another history than when it was recorded");
                }
                SearchPath.nameNoShard(connection, migrations.commonSchemas());
                Sql.execute(connection, recorded.recording.sqlFor(shard));
                SearchPath.restore(connection, searchPath);
                if (recorded.recording.createsFunctions()) {
                    FunctionBinding.bind(connection, ShardSchema.nameOf(shard), migrations.commonSchemas());
                }
                remember(connection, shard, recorded.standing);
            });
            return true;
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            LOG.debug("Database {}, shard {}: Flyway migrates it and reports what is wrong", database, shard, e);
            SearchPath.restore(connection, searchPath);
            recordings.remove(start);
            unrepeatable.add(start);
            return false;
        }
    }

    /** Equal for shards in which Flyway would do the same; null if there is nothing to do. */
    private @Nullable String start(Connection connection, String sql, int shard) throws SQLException {
        String schema = ShardSchema.nameOf(shard);
        List<List<@Nullable String>> rows = Sql.rows(connection, sql, shard, schema);
        List<@Nullable String> row = rows.isEmpty() ? null : rows.get(0);
        if (row == null || !StoredShard.ACTIVE.equals(row.get(0)) || wanted.isAt(row.get(1))) {
            return null;
        }
        String start = replays ? String.valueOf(row.get(2)) : UNKNOWN;
        return switch (start) {
            case "history" -> Objects.requireNonNullElse(Sql.text(connection, HISTORY.formatted(schema)), UNKNOWN);
            case "new" -> start;
            default -> UNKNOWN;
        };
    }

    private static void remember(Connection connection, int shard, @Nullable String standing) throws SQLException {
        Sql.update(connection, "UPDATE sharded_id.shard SET migrations = ? WHERE shard = ?", standing, shard);
        ShardSchemas.grantRoles(connection, ShardSchema.nameOf(shard));
    }
}
