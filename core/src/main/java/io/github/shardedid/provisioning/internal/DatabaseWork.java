package io.github.shardedid.provisioning.internal;

import io.github.shardedid.provisioning.ShardMigrations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is to be done in one database of a living cluster: schemas to be made, migrations to be run. */
final class DatabaseWork {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseWork.class);
    private static final int PROGRESS = 100;

    private final ShardMigrations migrations;
    private final @Nullable String fingerprint;

    DatabaseWork(ShardMigrations migrations, @Nullable String fingerprint) {
        this.migrations = migrations;
        this.fingerprint = fingerprint;
    }

    /** One instance at a time; the others find nothing left to do. */
    void run(String database, Connection connection) throws SQLException {
        try (SessionLock lock = SessionLock.onDatabase(connection)) {
            List<StoredShard> creating = StoredShard.readAll(connection).stream()
                    .filter(StoredShard::creating)
                    .toList();
            ShardSchemas.createAll(database, connection, creating);
            migrate(database, connection);
        }
    }

    private void migrate(String database, Connection connection) throws SQLException {
        List<StoredShard> behind = StoredShard.readAll(connection).stream()
                .filter(shard -> DatabaseState.lacksMigrations(shard, fingerprint))
                .toList();
        for (int done = 0; done < behind.size(); ) {
            int shard = behind.get(done).shard();
            migrations.migrate(connection, database, shard);
            remember(connection, shard);
            done++;
            if (done % PROGRESS == 0 || done == behind.size()) {
                LOG.info("Database {}: {} of {} shards migrated", database, done, behind.size());
            }
        }
    }

    private void remember(Connection connection, int shard) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE sharded_id.shard SET migrations = ? WHERE shard = ?")) {
            update.setString(1, fingerprint);
            update.setInt(2, shard);
            update.executeUpdate();
        }
    }
}
