package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * The data sources of the databases. Safe for use by several threads.
 *
 * <p>A database that neither its pool nor the shard map can reach is down. Calls for it fail almost at once, because each of them would
 * otherwise wait until the pool gives up:
 * <ol>
 *   <li>The first connection that fails begins the outage.
 *   <li>Each later caller has one thread, of the database and not of the caller, try to connect, and waits for it {@value #BRIEF_MILLIS}
 *       ms. That is long enough for a pool that has a connection again.
 *   <li>The first connection ends the outage.
 * </ol>
 */
public final class DatabasePools {
    private static final Logger LOG = LoggerFactory.getLogger(DatabasePools.class);
    private static final long BRIEF_MILLIS = 50;

    private final Map<String, DataSource> sources;
    private final Map<String, DataSource> readPools;
    private final CurrentShardMap map;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    public DatabasePools(Map<String, DataSource> sources, Map<String, DataSource> readPools, CurrentShardMap map) {
        this.sources = sources;
        this.readPools = readPools;
        this.map = map;
    }

    /**
     * The state of a database since a connection to it has failed.
     *
     * @param attempt the latest attempt to connect, which ends by itself
     */
    private record Outage(Exception cause, AtomicReference<CompletableFuture<Void>> attempt) {}

    public Map<String, DataSource> sources() {
        return sources;
    }

    public Set<String> names() {
        return sources.keySet();
    }

    /**
     * Takes a connection from a database's pool.
     *
     * @param target for which it is wanted, for the message; null for none in particular
     * @param forPlainQuery whether only a plain query of a transaction needs it
     * @param held what the routed connection holds already
     */
    public Connection connect(
            String database, Target.@Nullable Single target, boolean forPlainQuery, PhysicalConnection... held)
            throws DatabaseUnavailableException {
        DataSource source = sources.get(database);
        if (source == null) {
            throw new DatabaseUnavailableException(
                    (target == null ? "A shard" : target) + " is on database " + database
                            + ", but this application has data sources only for " + sources.keySet()
                            + ". Configure one for " + database + ".",
                    null);
        }
        if (!outages.isEmpty()) {
            requireNoOutage(database, source, target, held);
        }
        // A transaction that holds a connection and waits for a second one of the same pool could wait for itself.
        DataSource readPool = forPlainQuery && held.length > 0 ? readPools.get(database) : null;
        try {
            Connection connection = (readPool == null ? source : readPool).getConnection();
            endOutage(database);
            return connection;
        } catch (SQLException | RuntimeException e) {
            throw unavailable(database, target, e, held);
        }
    }

    /** Begins an outage if a pool could not connect, and returns the exception to throw. */
    DatabaseUnavailableException unavailable(
            String database, Target.@Nullable Single target, Exception cause, PhysicalConnection[] held) {
        Outage outage = new Outage(cause, new AtomicReference<>(CompletableFuture.completedFuture(null)));
        if (!isExhaustion(cause) && outages.putIfAbsent(database, outage) == null) {
            LOG.warn(
                    "No connection to database {} could be opened: {}. While the shard map cannot reach it either,"
                            + " calls for its shards fail at once",
                    database,
                    cause.getMessage());
        }
        return refusal(database, target, cause, held);
    }

    private void requireNoOutage(
            String database, DataSource source, Target.@Nullable Single target, PhysicalConnection[] held)
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
            throw refusal(database, target, outage.cause(), held);
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

    /** The shard map is loaded again if it takes the database for reachable: perhaps nothing else refreshes it. */
    private void attempt(String database, DataSource source, CompletableFuture<Void> result) {
        try (Connection connection = source.getConnection()) {
            endOutage(database);
        } catch (SQLException | RuntimeException e) {
            if (!isUnreachable(database)) {
                map.refreshSince(map.nanoTime());
            }
        } finally {
            result.complete(null);
        }
    }

    private void endOutage(String database) {
        if (!outages.isEmpty() && outages.remove(database) != null) {
            LOG.info("Database {} can be reached again", database);
        }
    }

    private static DatabaseUnavailableException refusal(
            String database, Target.@Nullable Single target, Exception cause, PhysicalConnection[] held) {
        String wanted = "database " + database + (target == null ? "" : ", home of " + target + ",");
        String message = isExhaustion(cause)
                ? "All connections to " + wanted + " were in use until the pool gave up (" + cause.getMessage()
                        + "); nothing was sent. " + advice(held)
                : "Could not connect to " + wanted
                        + " and nothing was sent. Check that the database is up, and that its"
                        + " pool is large enough. Shards on other databases are not concerned.";
        return new DatabaseUnavailableException(message, cause);
    }

    /** A pool that tried to connect, and failed, gives a cause. */
    private static boolean isExhaustion(Exception cause) {
        return cause instanceof SQLTransientConnectionException && cause.getCause() == null;
    }

    private static String advice(PhysicalConnection[] held) {
        if (held.length == 0) {
            return "Make the pool larger, or transactions shorter.";
        }
        List<String> names =
                Arrays.stream(held).map(PhysicalConnection::database).toList();
        return "This transaction held " + (names.size() == 1 ? "a connection" : "connections") + " to "
                + String.join(" and ", names) + " meanwhile, so that transactions may have waited for each other: read"
                + " before the first write or lock, give each database a read pool for what transactions read beside"
                + " their writes, or make the pools larger.";
    }
}
