package io.github.shardedid.provisioning;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.schema.IdConstraints;
import io.github.shardedid.provisioning.internal.run.RoleGrants;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.schema.ShardSchemas;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a move of a shard needs of provisioning. Applications have no use for it. */
public final class ShardHandover {
    private ShardHandover() {}

    /** Locks of a database, held by a session. */
    public interface Quiet extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    /**
     * Makes the schema of a shard with its {@code next_id} wrappers, in the caller's transaction. Its leases are still to come.
     *
     * @param connection to the database that is to have it
     * @param shard the logical shard
     * @throws SQLException if the database refuses
     */
    public static void createSchema(Connection connection, int shard) throws SQLException {
        ShardSchemas.create(connection, shard);
    }

    /**
     * Gives a copy of a shard that has no rows yet the constraints on ids that hold in the original.
     *
     * @param source to the database that has the shard
     * @param target to the database with the copy
     * @param shard the logical shard
     * @throws SQLException if one of them refuses
     */
    public static void carryOverIdConstraints(Connection source, Connection target, int shard) throws SQLException {
        IdConstraints.carryOver(source, target, shard);
    }

    /**
     * Grants the roles that the database knows what they lack in a shard's schema.
     *
     * @param connection to the database, as the owner of the schema
     * @param shard the logical shard
     * @throws SQLException if the database refuses
     */
    public static void grantRoles(Connection connection, int shard) throws SQLException {
        RoleGrants.grantIn(connection, ShardSchema.nameOf(shard));
    }

    /**
     * Keeps migrations and changes of {@code jvm-nodes} away from a database.
     *
     * @param connection in autocommit mode, which holds the locks
     * @return to be closed on the same connection; null if one of them is at work
     * @throws SQLException if the database refuses
     */
    public static @Nullable Quiet tryQuiet(Connection connection) throws SQLException {
        SessionLock schemas = SessionLock.tryOnDatabase(connection);
        if (schemas == null) {
            return null;
        }
        SessionLock nodes = SessionLock.tryOnJvmNodes(connection);
        if (nodes == null) {
            schemas.close();
            return null;
        }
        return () -> {
            nodes.close();
            schemas.close();
        };
    }

    /**
     * Held by the sessions of the process that is at work on a move, in both databases. So no session of a process that was cut off can
     * still be about to commit when another process looks how far the move is.
     *
     * @param connection in autocommit mode, which holds the lock
     * @param shard the logical shard
     * @return to be closed on the same connection; null if another session holds it
     * @throws SQLException if the database refuses
     */
    public static @Nullable Quiet tryShard(Connection connection, int shard) throws SQLException {
        SessionLock lock = SessionLock.tryOnShard(connection, shard);
        return lock == null ? null : lock::close;
    }

    /**
     * What went wrong, in one line without secrets.
     *
     * @param failure any
     * @return the innermost message that says something
     */
    public static String reasonOf(Throwable failure) {
        return FailureReason.of(failure);
    }
}
