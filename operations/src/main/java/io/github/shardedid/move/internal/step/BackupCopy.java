package io.github.shardedid.move.internal.step;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A shard in a backup of one database of the cluster, which was restored to a server beside it. */
public final class BackupCopy implements AutoCloseable {
    private static final String CLUSTER = "SELECT cluster_id::text FROM sharded_id.cluster";

    private final Connection connection;
    private final int shard;

    private BackupCopy(Connection connection, int shard) {
        this.connection = connection;
        this.shard = shard;
    }

    /** Connects to it. */
    public static BackupCopy open(DataSource backup, int shard) {
        try {
            return new BackupCopy(backup.getConnection(), shard);
        } catch (SQLException | RuntimeException e) { // unchecked, too: pools have exceptions of their own
            throw refused(shard, "it cannot be reached: " + FailureReason.of(e) + ".");
        }
    }

    Connection connection() {
        return connection;
    }

    OfflineCopy.Side side() {
        return new OfflineCopy.Side(connection, ShardSchema.nameOf(shard));
    }

    /**
     * Refuses a database that is not a copy of one of this cluster in which the shard was served.
     *
     * @param owner the database that owns the shard. The lock of the shard is held in all databases of the cluster
     */
    void require(Connection owner) throws SQLException {
        Optional<String> pooled = DirectSession.obstacle("of the backup", connection, "a restore needs");
        if (pooled.isPresent()) {
            throw refused(shard, pooled.get());
        }
        if (!Sql.is(connection, "SELECT to_regclass('sharded_id.move') IS NOT NULL")) {
            throw refused(shard, "it has no schema sharded_id, and so is no backup of a database of this cluster.");
        }
        if (!String.valueOf(Sql.text(owner, CLUSTER)).equals(Sql.text(connection, CLUSTER))) {
            throw refused(shard, "it belongs to a different cluster.");
        }
        if (Sql.is(connection, "SELECT pg_is_in_recovery()")) {
            throw refused(
                    shard,
                    "it is a standby, or its recovery has not ended. Promote it when it is at the point in time.");
        }
        if (SessionLock.tryOnShard(connection, shard) == null) {
            throw refused(
                    shard,
                    "it is one of the cluster's own databases, or another process works on it. Restore the backup to a"
                            + " database beside them.");
        }
        requireServed(StoredShard.read(connection, shard));
    }

    private void requireServed(@Nullable StoredShard row) {
        if (row == null || !row.served() || !row.schemaExists()) {
            throw refused(
                    shard,
                    "there the shard is " + (row == null ? "not known" : row.state())
                            + ". Take a backup of the database that served it at that time.");
        }
    }

    private static MoveRefusedException refused(int shard, String why) {
        return new MoveRefusedException("Shard " + shard + " is not restored from the database of the backup: " + why
                + " Nothing was changed in the cluster.");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
