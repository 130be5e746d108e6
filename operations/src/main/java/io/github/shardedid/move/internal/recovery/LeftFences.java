package io.github.shardedid.move.internal.recovery;

import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fences of {@link ShardRestore} whose process has died. Nothing has changed behind them: the rows change with the end of the fence. */
final class LeftFences {
    private static final Logger LOG = LoggerFactory.getLogger(LeftFences.class);

    /** A fence of a move has renamed the schema. */
    private static final String LEFT =
            " FROM sharded_id.shard s WHERE s.state = 'FENCED' AND to_regnamespace('shard_' ||"
                    + " lpad(s.shard::text, greatest(4, length(s.shard::text)), '0')) IS NOT NULL AND NOT EXISTS (SELECT FROM"
                    + " sharded_id.move m WHERE m.shard = s.shard AND m.step NOT IN ('DONE', 'ABORTED'))";

    private LeftFences() {}

    /** Removes those on which no process works. */
    static void remove(String database, Connection connection) throws SQLException {
        for (String shard : Sql.strings(connection, "SELECT s.shard" + LEFT)) {
            try (SessionLock lock = SessionLock.tryOnShard(connection, Integer.parseInt(shard))) {
                if (lock != null
                        && Sql.update(
                                        connection,
                                        "UPDATE sharded_id.shard SET state = 'ACTIVE' WHERE shard IN (SELECT s.shard"
                                                + LEFT + ") AND shard = ?",
                                        Integer.valueOf(shard))
                                == 1) {
                    LOG.warn(
                            "The process that restored shard {} in database {} has died. The shard is served again, with"
                                    + " the rows as before",
                            shard,
                            database);
                }
            }
        }
    }
}
