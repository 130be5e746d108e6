package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ClusterConfigurationException.Reason;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.internal.session.Sessions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of all databases, those of one database in rotation. Safe for use by several threads.
 *
 * <p>Each session is checked once, for a server may be replaced by another one under the same address: it must
 * be a hot standby that holds the meta tables of the same cluster and database. A wrong URL would otherwise
 * return the rows of another cluster, which look like those of this one.
 */
public final class Replicas {
    private static final int CHECK_SECONDS = 2;
    /** No such table, no such schema. */
    private static final Set<String> UNDEFINED = Set.of("42P01", "3F000");

    private final Sessions sessions;
    private final Map<String, DataSource> primaries;
    /** The identities of the databases themselves, each of which is asked once. */
    private final Map<String, String> identities = new ConcurrentHashMap<>();

    private final Map<String, List<Replica>> byDatabase = new LinkedHashMap<>();
    private final AtomicInteger next = new AtomicInteger();

    private Replicas(Map<String, DataSource> primaries, Sessions sessions) {
        this.sessions = sessions;
        this.primaries = primaries;
    }

    /**
     * Returns the replicas, without connecting; null if no database has one, so that no statement asks for them.
     *
     * @param replicas the pools of the replicas, by database
     * @param listener is notified when a replica fails, and when it works again
     * @param primaries the pools of the databases themselves
     * @param clock counts nanoseconds, as {@link System#nanoTime()} does
     */
    public static @Nullable Replicas of(
            Map<String, List<DataSource>> replicas,
            RoutingListener listener,
            Map<String, DataSource> primaries,
            Sessions sessions,
            LongSupplier clock) {
        Replicas created = new Replicas(primaries, sessions);
        replicas.forEach((database, sources) -> {
            if (!primaries.containsKey(database)) {
                throw new IllegalArgumentException("There are replicas of a database " + database
                        + ", but no such database; there are " + primaries.keySet() + ".");
            }
            List<Replica> all = new ArrayList<>();
            sources.forEach(source -> all.add(new Replica(database, all.size(), source, clock, listener)));
            if (!all.isEmpty()) {
                created.byDatabase.put(database, all);
            }
        });
        return created.byDatabase.isEmpty() ? null : created;
    }

    /** Returns whether a database has replicas. */
    boolean of(String database) {
        return byDatabase.containsKey(database);
    }

    /**
     * Returns a connection to a replica of a database. A replica that fails is passed over, with a warning when
     * that begins.
     *
     * @param wanted the one that a transaction has read from, or null for the next one
     * @return null if none can be used just now
     */
    @Nullable
    PhysicalConnection connect(String database, @Nullable Replica wanted) {
        List<Replica> all = wanted == null ? byDatabase.getOrDefault(database, List.of()) : List.of(wanted);
        int first = wanted == null ? next.getAndIncrement() : 0;
        for (int i = 0; i < all.size(); i++) {
            Replica replica = all.get(Math.floorMod(first + i, all.size()));
            try {
                if (replica.mayBeTried()) {
                    return open(replica);
                }
            } catch (SQLException | RuntimeException e) {
                replica.fails(e);
            }
        }
        return null;
    }

    private PhysicalConnection open(Replica replica) throws SQLException {
        PhysicalConnection physical =
                new PhysicalConnection(replica.database, replica, replica.source.getConnection(), sessions);
        physical.setUp(ignored -> physical.checkOnce(connection -> verify(replica, connection)));
        replica.works();
        return physical;
    }

    /**
     * Asks all replicas at the same time who they are. Those that do not answer soon are checked when they are
     * first used.
     *
     * @param unreachable databases that cannot be asked who they are
     * @throws ClusterConfigurationException if one is no replica of its database
     */
    public void check(Set<String> unreachable) {
        List<CompletableFuture<@Nullable ClusterConfigurationException>> checks = new ArrayList<>();
        byDatabase.forEach((database, replicas) -> {
            if (!unreachable.contains(database)) {
                replicas.forEach(each -> checks.add(CompletableFuture.supplyAsync(() -> check(each), Replicas::run)
                        .completeOnTimeout(null, CHECK_SECONDS, TimeUnit.SECONDS)));
            }
        });
        for (CompletableFuture<@Nullable ClusterConfigurationException> check : checks) {
            ClusterConfigurationException mismatch = check.join();
            if (mismatch != null) {
                throw mismatch;
            }
        }
    }

    /**
     * Runs a check on a thread of its own. The common pool may be busy with the application, and is used by
     * nothing here.
     */
    private static void run(Runnable check) {
        Thread thread = new Thread(check, "sharded-id-replica-check");
        thread.setDaemon(true);
        thread.start();
    }

    private @Nullable ClusterConfigurationException check(Replica replica) {
        try {
            open(replica).release();
            return null;
        } catch (SQLException | RuntimeException e) {
            replica.fails(e);
            return e instanceof ClusterConfigurationException mismatch ? mismatch : null;
        }
    }

    /**
     * Fails if a connection is not to a replica of the database.
     *
     * @throws ClusterConfigurationException if the server is not in recovery, or is one of another cluster or
     *     database
     */
    private void verify(Replica replica, Connection connection) throws SQLException {
        if (!Boolean.parseBoolean(ask(connection, "SELECT pg_is_in_recovery()::text"))) {
            throw Reason.REPLICA.of(replica + " is no replica: it is not in recovery. Was it promoted, or is"
                    + " it the database itself? Configure a hot standby that streams from database "
                    + replica.database + ".");
        }
        String found = identity(connection);
        String expected = identities.get(replica.database);
        DataSource primary = primaries.get(replica.database);
        if (expected == null && primary != null) {
            try (Connection asked = primary.getConnection()) {
                expected = identity(asked);
            }
            identities.put(replica.database, expected);
        }
        if (!found.equals(expected)) {
            throw Reason.REPLICA.of(replica
                    + " is a standby of something else: the cluster and database there"
                    + " are " + found + ", those of database " + replica.database + " are " + expected
                    + ". Correct the replica's URL.");
        }
    }

    /**
     * Returns which database of which cluster this is, as provisioning has recorded it. The server's system
     * identifier would not tell two databases of one server apart.
     */
    private static String identity(Connection connection) throws SQLException {
        try {
            return ask(connection, "SELECT cluster_id || ' ' || database_name FROM sharded_id.cluster");
        } catch (SQLException e) {
            if (UNDEFINED.contains(String.valueOf(e.getSQLState()))) {
                return "none, as there is no table sharded_id.cluster";
            }
            throw e;
        }
    }

    private static String ask(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            return row.next() ? row.getString(1) : "none";
        }
    }
}
