package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Databases that are known to be down, because neither a pool nor the shard map could reach them. Calls for such a database fail at
 * once, where each of them would wait until the pool gives up. Meanwhile a thread tries to connect, at most once a second; the first
 * connection ends the outage. Safe for use by several threads.
 */
public final class Outages {
    private static final Logger LOG = LoggerFactory.getLogger(Outages.class);
    private static final long BETWEEN_ATTEMPTS = TimeUnit.SECONDS.toNanos(1);

    private final CurrentShardMap map;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    public Outages(CurrentShardMap map) {
        this.map = map;
    }

    /** Begins with the first connection that failed. */
    private static final class Outage {
        final Exception cause;
        final AtomicBoolean isAttempting = new AtomicBoolean();
        volatile long lastAttempt = System.nanoTime() - BETWEEN_ATTEMPTS;

        Outage(Exception cause) {
            this.cause = cause;
        }
    }

    /**
     * Fails if a database is known to be down.
     *
     * @param source where another attempt to connect is made
     */
    void requireNone(String database, DataSource source, Target.@Nullable Single target, List<PhysicalConnection> held)
            throws DatabaseUnavailableException {
        Outage outage = outages.get(database);
        if (outage == null) {
            return;
        }
        if (System.nanoTime() - outage.lastAttempt >= BETWEEN_ATTEMPTS
                && outage.isAttempting.compareAndSet(false, true)) {
            startAttempt(database, source, outage);
        }
        if (isUnreachable(database)) {
            throw NoConnection.to(database, target, outage.cause, held);
        }
    }

    private boolean isUnreachable(String database) {
        return map.get().unreachableDatabases().contains(database);
    }

    /** The shard map is asked for, too: it may be kept up to date by errors only. */
    private void startAttempt(String database, DataSource source, Outage outage) {
        Thread thread = new Thread(
                () -> {
                    try {
                        map.refreshSince(outage.lastAttempt);
                        attempt(database, source);
                    } finally {
                        outage.lastAttempt = System.nanoTime();
                        outage.isAttempting.set(false);
                    }
                },
                "sharded-id-outage-" + database);
        thread.setDaemon(true);
        thread.start();
    }

    private void attempt(String database, DataSource source) {
        try (Connection connection = source.getConnection()) {
            end(database);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("Database {} cannot be reached yet", database, e);
        }
    }

    /** A pool could not connect to a database. */
    void begin(String database, Exception cause) {
        if (!NoConnection.isExhaustion(cause) && outages.putIfAbsent(database, new Outage(cause)) == null) {
            LOG.warn(
                    "No connection to database {} could be opened: {}. While the shard map cannot reach it either,"
                            + " calls for its shards fail at once",
                    database,
                    cause.getMessage());
        }
    }

    /** A connection to a database was opened. */
    void end(String database) {
        if (!outages.isEmpty() && outages.remove(database) != null) {
            LOG.info("Database {} can be reached again", database);
        }
    }
}
