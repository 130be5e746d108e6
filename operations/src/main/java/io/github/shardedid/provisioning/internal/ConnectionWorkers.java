package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Phaser;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes a list over several connections to one database: the caller's, and as many more as the pool gives. A pool of one
 * connection is enough. The first failure stops all; tasks that run end before it is thrown.
 */
public final class ConnectionWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionWorkers.class);

    /** With fewer, opening a further connection costs more than it saves. */
    private static final int PIECES_PER_CONNECTION = 4;

    private final DataSource source;
    private final int most;

    /** Uses up to {@code most} connections, including the caller's. */
    public ConnectionWorkers(DataSource source, int most) {
        this.source = source;
        this.most = most;
    }

    /** A task for one piece of work. */
    @FunctionalInterface
    public interface Task<T> {
        /** Runs on a connection in autocommit mode, which no other task uses at the same time. */
        void on(Connection connection, T piece) throws SQLException;
    }

    /** Returns when all pieces are done. */
    public <T> void run(Connection own, List<T> pieces, Task<T> task) throws SQLException {
        Run<T> run = new Run<>(new ConcurrentLinkedQueue<>(pieces), task);
        int more = Math.min(most, pieces.size() / PIECES_PER_CONNECTION) - 1;
        ExecutorService workers = Workers.start("sharded-id-provisioning-worker", more);
        for (int i = 0; i < more; i++) {
            workers.execute(() -> borrow(run));
        }
        workers.shutdown();
        run.work(own);
        // Only those that have a connection are waited for; one that still waits for the pool finds nothing left to do.
        run.working.awaitAdvance(run.working.arriveAndDeregister());
        run.rethrow();
    }

    private <T> void borrow(Run<T> run) {
        try (Connection connection = source.getConnection()) {
            if (run.working.register() != 0) {
                return;
            }
            try {
                boolean autoCommit = connection.getAutoCommit();
                connection.setAutoCommit(true);
                SearchPath.pinned(connection, () -> run.work(connection));
                if (!connection.isClosed()) {
                    connection.setAutoCommit(autoCommit);
                }
            } finally {
                run.working.arriveAndDeregister();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The pool has no further connection, or lost it: {}", FailureReason.of(e));
        }
    }

    private static final class Run<T> {
        private final Queue<T> left;
        private final Task<T> task;
        private final Phaser working = new Phaser(1);
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        Run(Queue<T> left, Task<T> task) {
            this.left = left;
            this.task = task;
        }

        void work(Connection connection) {
            try {
                for (T piece = left.poll(); piece != null && failures.isEmpty(); piece = left.poll()) {
                    task.on(connection, piece);
                }
            } catch (SQLException | RuntimeException | Error e) {
                failures.add(e);
            }
        }

        void rethrow() throws SQLException {
            Throwable first = failures.poll();
            if (first != null) {
                failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
            }
            if (first instanceof SQLException e) {
                throw e;
            } else if (first instanceof RuntimeException e) {
                throw e;
            } else if (first instanceof Error e) {
                throw e;
            }
        }
    }
}
