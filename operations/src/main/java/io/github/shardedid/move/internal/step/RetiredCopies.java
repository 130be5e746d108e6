package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drops copies of a shard that moves have left, fenced ones and those of aborted moves whose target could not be reached, and rows that
 * {@link ShardRestore} has replaced.
 */
public final class RetiredCopies {
    private RetiredCopies() {}

    /** Returns the obstacle to dropping the copies of a shard; null if there is none. */
    public static @Nullable String obstacle(Connection connection, int shard, String database) throws SQLException {
        StoredShard row = StoredShard.read(connection, shard);
        if (row != null && row.state().equals(StoredShard.FENCED)) {
            return "Shard " + shard + " is FENCED in database " + database
                    + ": what is there is not known to be an old copy.";
        }
        return schemas(connection, shard).isEmpty() && !isLeftover(row)
                ? "Database " + database + " has no old copy of shard " + shard + "."
                : null;
    }

    private static List<String> schemas(Connection connection, int shard) throws SQLException {
        return Sql.strings(
                connection,
                "SELECT nspname FROM pg_namespace WHERE nspname ~ ('^' || ? || '_(fenced|replaced)_[0-9]+$')",
                ShardSchema.nameOf(shard));
    }

    private static boolean isLeftover(@Nullable StoredShard row) {
        return row != null && row.state().equals(StoredShard.RECEIVING);
    }

    public static void drop(Connection connection, int shard, String database) throws SQLException {
        String obstacle = obstacle(connection, shard, database);
        if (obstacle != null) {
            throw new MoveRefusedException(obstacle + " Nothing was changed.");
        }
        boolean leftover = isLeftover(StoredShard.read(connection, shard));
        List<String> schemas = schemas(connection, shard);
        if (leftover) {
            Replication.unsubscribe(connection, shard);
        }
        Sql.transaction(connection, () -> {
            for (String schema : schemas) {
                Sql.execute(connection, "DROP SCHEMA " + schema + " CASCADE");
            }
            ShardRecovery.dropLeftPublications(connection, shard);
            if (leftover) {
                Sql.execute(connection, "DROP SCHEMA IF EXISTS " + ShardSchema.nameOf(shard) + " CASCADE");
                Sql.update(
                        connection,
                        "DELETE FROM sharded_id.shard WHERE shard = ? AND state = ?",
                        shard,
                        StoredShard.RECEIVING);
            }
        });
    }
}
