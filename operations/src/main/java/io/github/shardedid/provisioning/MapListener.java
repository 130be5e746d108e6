package io.github.shardedid.provisioning;

import io.github.shardedid.operations.internal.DirectSession;
import io.github.shardedid.operations.internal.FailureReason;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one connection for changes of what a database owns. When the connection is lost it opens another one, and reports
 * a possible change.
 */
final class MapListener {
    private static final Logger LOG = LoggerFactory.getLogger(MapListener.class);
    private static final int LISTENING_MILLIS = 250;
    private static final long FIRST_PAUSE_MILLIS = 100;

    /** A connection whose server has vanished stays silent: it is checked now and then. */
    private static final long BETWEEN_CHECKS = TimeUnit.SECONDS.toNanos(10);

    private static final int CHECK_SECONDS = 5;

    private final String database;
    private final DataSource source;
    private final long longestPause;
    private final Runnable changed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean listening;
    private volatile @Nullable Connection current;

    /**
     * Creates a listener that is not started yet.
     *
     * @param longestPause between attempts to connect
     * @param changed called on this listener's thread
     */
    MapListener(String database, DataSource source, Duration longestPause, Runnable changed) {
        this.database = database;
        this.source = source;
        this.longestPause = longestPause.toMillis();
        this.changed = changed;
        this.thread = Workers.thread("sharded-id-map-" + database, this::run);
    }

    /** Starts to listen. */
    void start() {
        thread.start();
    }

    /** Returns the name of the database. */
    String database() {
        return database;
    }

    /** Returns whether it has a connection that listens, as far as is known. */
    boolean isListening() {
        return listening;
    }

    private void run() {
        long pause = FIRST_PAUSE_MILLIS;
        boolean reported = false;
        while (!isClosed()) {
            try {
                listen();
            } catch (SQLException | RuntimeException e) {
                if (!isClosed() && (listening || !reported)) {
                    LOG.info(
                            "Not listening for changes of the shard map on database {}: {}",
                            database,
                            FailureReason.of(e));
                    reported = true;
                }
            }
            boolean had = listening;
            listening = false;
            if (had && !isClosed()) {
                changed.run();
            }
            pause = had ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, longestPause);
            reported &= !had;
            pause(pause);
        }
    }

    private boolean isClosed() {
        return closing.getCount() == 0;
    }

    private void pause(long millis) {
        try {
            boolean unused = closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closing.countDown();
        }
    }

    private void listen() throws SQLException {
        try (Connection connection = source.getConnection()) {
            current = connection;
            connection.setAutoCommit(true);
            Optional<String> pooled = DirectSession.obstacle(database, connection, "notifications need");
            if (pooled.isPresent()) {
                throw new SQLException(pooled.get(), "0A000");
            }
            Sql.execute(connection, "LISTEN sharded_id_map");
            listening = true;
            LOG.debug("Listening for changes of the shard map on database {}", database);
            changed.run();
            receive(connection);
            if (!connection.isClosed()) {
                // It may go back to a pool.
                Sql.execute(connection, "UNLISTEN sharded_id_map");
            }
        } finally {
            current = null;
        }
    }

    private void receive(Connection connection) throws SQLException {
        PgConnection driver = connection.unwrap(PgConnection.class);
        long checked = System.nanoTime();
        while (!isClosed()) {
            Object[] notifications = driver.getNotifications(LISTENING_MILLIS);
            if (notifications != null && notifications.length > 0) {
                changed.run();
            } else if (System.nanoTime() - checked >= BETWEEN_CHECKS) {
                checked = System.nanoTime();
                if (!connection.isValid(CHECK_SECONDS)) {
                    throw new SQLException("The connection does not answer.", "08006");
                }
            }
        }
    }

    /** Ends it soon, also while it waits for a pool. */
    void stop() {
        closing.countDown();
        thread.interrupt();
    }

    /** Waits until it has ended; a connection that keeps it from ending is aborted. */
    void join(long millis) throws InterruptedException {
        thread.join(millis);
        Connection connection = current;
        if (thread.isAlive() && connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("The connection that listens on database {} could not be aborted", database, e);
            }
        }
    }
}
