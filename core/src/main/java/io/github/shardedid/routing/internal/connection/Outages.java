package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Databases that are known to be down, because neither a pool nor the shard map could reach them. Calls for such a database fail
 * almost at once, where each of them would wait until the pool gives up. Meanwhile a thread tries to connect; its first connection
 * ends the outage. Safe for use by several threads.
 */
public final class Outages {
    private static final Logger LOG = LoggerFactory.getLogger(Outages.class);

    /** Enough for a pool that has a connection again. */
    private static final long BRIEF_MILLIS = 50;

    private final CurrentShardMap map;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    public Outages(CurrentShardMap map) {
        this.map = map;
    }

    /**
     * Begins with a connection that failed.
     *
     * @param attempt the latest attempt to connect, which ends by itself
     */
    private record Outage(Exception cause, AtomicReference<CompletableFuture<Void>> attempt) {}

    /**
     * Fails if a database is known to be down.
     *
     * @param source where another attempt to connect is made, if none is under way
     */
    void requireNone(String database, DataSource source, Target.@Nullable Single target, PhysicalConnection[] held)
            throws DatabaseUnavailableException {
        Outage outage = outages.get(database);
        if (outage == null) {
            return;
        }
        CompletableFuture<Void> attempt = attempt(database, source, outage);
        if (!isUnreachable(database)) {
            return;
        }
        try {
            attempt.get(BRIEF_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.trace("Database {} cannot be reached yet", database, e);
        }
        if (outages.containsKey(database)) {
            throw NoConnection.to(database, target, outage.cause(), held);
        }
    }

    private boolean isUnreachable(String database) {
        return map.get().unreachableDatabases().contains(database);
    }

    private CompletableFuture<Void> attempt(String database, DataSource source, Outage outage) {
        CompletableFuture<Void> next = new CompletableFuture<>();
        CompletableFuture<Void> attempt = outage.attempt().updateAndGet(last -> last.isDone() ? next : last);
        if (attempt == next) {
            Thread thread = new Thread(() -> attempt(database, source, next), "sharded-id-outage-" + database);
            thread.setDaemon(true);
            thread.start();
        }
        return attempt;
    }

    /** Of a database that it believes to be reachable, the shard map is asked for again: perhaps nobody else refreshes it. */
    private void attempt(String database, DataSource source, CompletableFuture<Void> result) {
        try (Connection connection = source.getConnection()) {
            end(database);
        } catch (SQLException | RuntimeException e) {
            if (!isUnreachable(database)) {
                map.refreshSince(map.nanoTime());
            }
        } finally {
            result.complete(null);
        }
    }

    /** A pool could not connect to a database. */
    void begin(String database, Exception cause) {
        Outage outage = new Outage(cause, new AtomicReference<>(CompletableFuture.completedFuture(null)));
        if (!NoConnection.isExhaustion(cause) && outages.putIfAbsent(database, outage) == null) {
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
