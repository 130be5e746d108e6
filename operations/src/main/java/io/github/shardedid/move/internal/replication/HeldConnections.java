package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveRefusedException.Reason;
import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.LockedConnections;
import io.github.shardedid.operations.internal.SessionLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connections that work on the moves of a shard, each with the lock of the shard. */
public final class HeldConnections implements AutoCloseable {
    private final Map<String, DataSource> databases;
    private final int shard;
    private final LockedConnections held = new LockedConnections();

    public HeldConnections(Map<String, DataSource> databases, int shard) {
        this.databases = databases;
        this.shard = shard;
    }

    public DataSource data(String name) {
        return data(databases, name);
    }

    /** The database of a name, which an operator may have mistyped. */
    public static DataSource data(Map<String, DataSource> databases, String name) {
        DataSource data = databases.get(name);
        if (data == null) {
            throw new MoveRefusedException("There is no database " + name + ": configured are " + databases.keySet()
                    + ". Nothing was changed.");
        }
        return data;
    }

    /** Opens one with the lock of the shard. */
    public Connection lock(String name) throws SQLException {
        @Nullable String[] holder = new @Nullable String[1];
        return held.add(
                name,
                connect(name),
                connection -> {
                    SessionLock lock = SessionLock.tryTake(connection, SessionLock.ofShard(shard));
                    holder[0] = lock == null ? SessionLock.holder(connection, SessionLock.ofShard(shard)) : null;
                    return lock;
                },
                () -> new MoveRefusedException(
                        Reason.DEFERRED,
                        "Another process is at work on a move of shard " + shard
                                + ", or its session in database " + name + " has not ended yet"
                                + (holder[0] == null ? "" : ": " + holder[0]) + ". Nothing was changed."));
    }

    /** One that was opened before. */
    public Connection held(String name) {
        return held.of(name);
    }

    private Connection connect(String name) throws SQLException {
        DataSource data = data(name);
        Connection connection;
        try {
            connection = data.getConnection();
        } catch (SQLException | RuntimeException e) { // unchecked, too: pools have exceptions of their own
            String reason = FailureReason.of(e);
            SQLException unreached = new SQLException("Database " + name + " cannot be reached: " + reason, "08001");
            unreached.addSuppressed(e); // Not as its cause: the innermost message would be reported.
            throw unreached;
        }
        try {
            Optional<String> pooled = DirectSession.obstacle(name, connection, "a move needs");
            if (pooled.isPresent()) {
                throw new MoveRefusedException(pooled.get() + " Nothing was changed.");
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void close() {
        held.close();
    }
}
