package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.internal.replication.Replication;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Drops copies of a shard that moves have left: fenced ones, and those of aborted moves whose target could not be reached. */
public final class RetiredCopies {
    private RetiredCopies() {}

    public static void drop(Connection connection, int shard, String database) throws SQLException {
        StoredShard row = StoredShard.read(connection, shard);
        boolean leftover = row != null && row.state().equals(StoredShard.RECEIVING);
        String own = ShardSchema.nameOf(shard);
        List<String> schemas = Sql.strings(connection, ShardRecovery.SCHEMAS, own);
        schemas.remove(own);
        if (row != null && row.state().equals(StoredShard.FENCED)) {
            throw new MoveRefusedException("Shard " + shard + " is FENCED in database " + database
                    + ": what is there is not known to be an old copy. Nothing was changed.");
        }
        if (schemas.isEmpty() && !leftover) {
            throw new MoveRefusedException(
                    "Database " + database + " has no old copy of shard " + shard + ". Nothing was changed.");
        }
        if (leftover) {
            Replication.unsubscribe(connection, shard);
        }
        Sql.transaction(connection, () -> {
            for (String schema : schemas) {
                Sql.execute(connection, "DROP SCHEMA " + schema + " CASCADE");
            }
            ShardRecovery.dropLeftPublications(connection, shard);
            Sql.update(
                    connection, "DELETE FROM sharded_id.move WHERE shard = ? AND step IN ('DONE', 'ABORTED')", shard);
            if (leftover) {
                Sql.execute(connection, "DROP SCHEMA IF EXISTS " + own + " CASCADE");
                Sql.update(connection, "DELETE FROM sharded_id.shard WHERE shard = ? AND state = 'RECEIVING'", shard);
            }
        });
    }
}
