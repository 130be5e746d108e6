package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes a list over several connections to one database: the caller's, and as many more as the pool gives. A pool of one
 * connection is enough. The first failure stops all; tasks that run end before it is thrown.
 */
final class ConnectionWorkers<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionWorkers.class);

    /** With fewer, opening a further connection costs more than it saves. */
    private static final int PIECES_PER_CONNECTION = 4;

    private final Queue<T> left;
    private final Task<T> task;
    private final Phaser working = new Phaser(1);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private ConnectionWorkers(List<T> pieces, Task<T> task) {
        this.left = new ConcurrentLinkedQueue<>(pieces);
        this.task = task;
    }

    /** A task for one piece of work. */
    @FunctionalInterface
    interface Task<T> {
        /** Runs on a connection in autocommit mode, which no other task uses at the same time. */
        void on(Connection connection, T piece) throws SQLException;
    }

    /** Returns when all pieces are done. Uses up to {@code most} connections, including the caller's. */
    static <T> void run(DataSource source, int most, Connection own, List<T> pieces, Task<T> task) throws SQLException {
        ConnectionWorkers<T> run = new ConnectionWorkers<>(pieces, task);
        for (int i = 1; i < Math.min(most, pieces.size() / PIECES_PER_CONNECTION); i++) {
            Workers.thread("sharded-id-provisioning-worker", () -> run.borrow(source))
                    .start();
        }
        run.work(own);
        // Only those that have a connection are waited for; one that still waits for the pool finds nothing left to do.
        run.working.awaitAdvance(run.working.arriveAndDeregister());
        Workers.throwFirst(run.failures, SQLException.class);
    }

    private void borrow(DataSource source) {
        try (Connection connection = source.getConnection()) {
            if (working.register() != 0) {
                return;
            }
            try {
                boolean autoCommit = connection.getAutoCommit();
                connection.setAutoCommit(true);
                SearchPath.pinned(connection, () -> work(connection));
                if (!connection.isClosed()) {
                    connection.setAutoCommit(autoCommit);
                }
            } finally {
                working.arriveAndDeregister();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The pool has no further connection, or lost it: {}", FailureReason.of(e));
        }
    }

    private void work(Connection connection) {
        try {
            for (T piece = left.poll(); piece != null && failures.isEmpty(); piece = left.poll()) {
                task.on(connection, piece);
            }
        } catch (SQLException | RuntimeException | Error e) {
            failures.add(e);
        }
    }
}
