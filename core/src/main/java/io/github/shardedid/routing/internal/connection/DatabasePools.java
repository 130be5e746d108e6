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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data sources of the databases. Safe for use by several threads.
 *
 * <p>A database that neither its pool nor the shard map can reach is down. Calls for it fail almost at once,
 * because each of them would otherwise wait until the pool gives up. With the usual timeout of 30 s, the
 * threads of an application would soon all wait for the one database, and none be left for the shards of the
 * others:
 *
 * <ol>
 *   <li>The first connection that fails begins the outage. A pool whose connections are all in use has no
 *       outage.
 *   <li>As long as there are callers, one thread that is none of them tries to connect, time and again.
 *   <li>If the shard map reaches the database, its pool is asked as always: the outage may be one of the pool
 *       alone.
 *   <li>The first connection ends the outage.
 * </ol>
 */
public final class DatabasePools {
    private static final Logger LOG = LoggerFactory.getLogger(DatabasePools.class);

    /** The main pools, by the names of the databases in the shard map. */
    private final Map<String, DataSource> sources;
    /** The pools for what a transaction reads beside the connections that it holds; a database may have none. */
    private final Map<String, DataSource> readPools;

    private final CurrentShardMap map;
    /**
     * The databases to which a connection has failed, until one succeeds. Mostly empty, which each call checks
     * first.
     */
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    public DatabasePools(Map<String, DataSource> sources, Map<String, DataSource> readPools, CurrentShardMap map) {
        this.sources = sources;
        this.readPools = readPools;
        this.map = map;
    }

    /**
     * The state of a database since a connection to it has failed.
     *
     * @param cause the failure with which the outage began
     * @param trying whether a thread tries to connect, so that an unreachable database costs one thread
     */
    private record Outage(Exception cause, AtomicBoolean trying) {}

    public Map<String, DataSource> sources() {
        return sources;
    }

    public Set<String> names() {
        return sources.keySet();
    }

    /**
     * Takes a connection from a database's pool. The caller closes it.
     *
     * @param database its name in the shard map
     * @param target for which it is wanted, for the message; null for none in particular
     * @param beside whether its caller holds another connection, and needs this one for a short statement beside it
     * @param held what the routed connection holds already
     * @throws DatabaseUnavailableException if the database is down, its pool has no connection left, or it is
     *     not configured; nothing was sent
     */
    public Connection connect(
            String database, Target.@Nullable Single target, boolean beside, PhysicalConnection... held)
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
        DataSource readPool = beside ? readPools.get(database) : null;
        try {
            Connection connection = (readPool == null ? source : readPool).getConnection();
            endOutage(database);
            return connection;
        } catch (SQLException | RuntimeException e) {
            throw unavailable(database, target, e, held);
        }
    }

    /**
     * Begins an outage if a pool could not connect, and returns the exception to throw.
     *
     * @param target for which the connection is wanted, for the message; null for none in particular
     * @param held what the routed connection holds already, for the advice in the message
     */
    DatabaseUnavailableException unavailable(
            String database, Target.@Nullable Single target, Exception cause, PhysicalConnection[] held) {
        Outage outage = new Outage(cause, new AtomicBoolean());
        if (!isExhaustion(cause) && outages.putIfAbsent(database, outage) == null) {
            LOG.warn(
                    "No connection to database {} could be opened: {}. While the shard map cannot reach it either,"
                            + " calls for its shards fail at once",
                    database,
                    cause.getMessage());
        }
        return refusal(database, target, cause, held);
    }

    /** Fails if a database is down. Does nothing if the map has reached the database since. */
    private void requireNoOutage(
            String database, DataSource source, Target.@Nullable Single target, PhysicalConnection[] held)
            throws DatabaseUnavailableException {
        Outage outage = outages.get(database);
        if (outage == null) {
            return;
        }
        if (outage.trying.compareAndSet(false, true)) {
            Thread thread = new Thread(() -> tryToConnect(database, source, outage), "sharded-id-outage-" + database);
            thread.setDaemon(true);
            thread.start();
        }
        if (isUnreachable(database)) {
            throw refusal(database, target, outage.cause, held);
        }
    }

    /**
     * Returns whether the last load of the shard map could not ask a database. It is a second opinion, by
     * connections of its own.
     */
    private boolean isUnreachable(String database) {
        return map.get().unreachableDatabases().contains(database);
    }

    /**
     * Tries to connect once. If that fails while the shard map takes the database for reachable, the map is
     * loaded again, as perhaps nothing else refreshes it; from then on, callers fail at once.
     */
    private void tryToConnect(String database, DataSource source, Outage outage) {
        try (Connection connection = source.getConnection()) {
            endOutage(database);
        } catch (SQLException | RuntimeException e) {
            if (!isUnreachable(database)) {
                map.refreshSince(map.nanoTime());
            }
        } finally {
            outage.trying.set(false);
        }
    }

    /** Ends the outage of a database, if there is one, after a connection has succeeded. */
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

    /**
     * Returns whether all connections of a pool were in use. HikariCP throws the same exception if it could not
     * connect, but gives it a cause.
     */
    private static boolean isExhaustion(Exception cause) {
        return cause instanceof SQLTransientConnectionException && cause.getCause() == null;
    }

    /**
     * Returns what to do about an exhausted pool. A transaction that holds other connections may be one of two
     * that wait for each other, which a larger pool only makes rarer.
     */
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
