package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingListener.Fallback;
import io.github.shardedid.routing.internal.session.Sessions;
import io.github.shardedid.routing.replica.ReplicaMismatchException;
import io.github.shardedid.routing.replica.ReplicaOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas of all databases, which are used one after the other. Safe for use by several threads. */
public final class Replicas {
    private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);
    private static final int CHECK_SECONDS = 2;
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(CHECK_SECONDS);
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_SCHEMA = "3F000";
    private static final String QUESTION =
            "SELECT cluster_id || ' ' || database_name, pg_is_in_recovery() FROM sharded_id.cluster";

    private final ReplicaOptions options;
    private final RoutingListener listener;
    private final Sessions sessions;
    private final Map<String, DataSource> primaries;
    /** Of the databases themselves, which are asked once. */
    private final Map<String, String> identities = new ConcurrentHashMap<>();

    private final Map<String, RoundRobin> byDatabase = new LinkedHashMap<>();

    public Replicas(
            ReplicaOptions options, RoutingListener listener, Map<String, DataSource> primaries, Sessions sessions) {
        this.options = options;
        this.listener = listener;
        this.sessions = sessions;
        this.primaries = primaries;
        options.byDatabase().forEach((database, sources) -> {
            if (!primaries.containsKey(database)) {
                throw new IllegalArgumentException("There are replicas of a database " + database
                        + ", but no such database; there are " + primaries.keySet() + ".");
            }
            if (!sources.isEmpty()) {
                byDatabase.put(database, new RoundRobin(replicas(database, sources), new AtomicInteger()));
            }
        });
    }

    /** The replicas of one database, and which is next. */
    private record RoundRobin(List<Replica> replicas, AtomicInteger next) {}

    private List<Replica> replicas(String database, List<DataSource> sources) {
        List<Replica> replicas = new ArrayList<>();
        for (DataSource source : sources) {
            long retryNanos = options.retryAfter().toNanos();
            replicas.add(new Replica(database, replicas.size(), source, retryNanos, listener));
        }
        return List.copyOf(replicas);
    }

    boolean areNone() {
        return byDatabase.isEmpty();
    }

    boolean of(String database) {
        return byDatabase.containsKey(database);
    }

    /** Whether what is read-only goes to replicas by default. */
    boolean forReadOnly() {
        return options.forReadOnly();
    }

    /**
     * A connection to a replica of a database.
     *
     * @param wanted the one that a transaction has read from, or null for the next one
     * @return null if none can be used just now
     */
    @Nullable
    PhysicalConnection connect(String database, @Nullable Replica wanted) {
        RoundRobin round = byDatabase.get(database);
        if (round == null) {
            return null;
        }
        Fallback reason = Fallback.UNREACHABLE;
        int first = wanted == null ? round.next.getAndIncrement() : 0;
        int size = round.replicas.size();
        for (int i = 0; i < (wanted == null ? size : 1); i++) {
            Replica replica = wanted == null ? round.replicas.get(Math.floorMod(first + i, size)) : wanted;
            PhysicalConnection physical = replica.mayBeTried() ? attempt(replica) : null;
            if (physical != null) {
                return physical;
            }
            reason = replica.why();
        }
        fellBack(database, reason);
        return null;
    }

    private @Nullable PhysicalConnection attempt(Replica replica) {
        try {
            return open(replica);
        } catch (ReplicaMismatchException e) {
            replica.fails(Fallback.MISMATCH, e);
        } catch (SQLException | RuntimeException e) {
            replica.fails(Fallback.UNREACHABLE, e);
        }
        return null;
    }

    /** Each session is checked once, for a server may be replaced by another one. */
    private PhysicalConnection open(Replica replica) throws SQLException {
        PhysicalConnection physical = new PhysicalConnection(
                replica.database(), replica, replica.source().getConnection(), sessions);
        physical.setUp(ignored -> physical.checkOnce(connection -> verify(replica, connection)));
        replica.works();
        listener.replicaUsed(replica.database(), replica.number());
        return physical;
    }

    void fellBack(String database, Fallback reason) {
        listener.replicaMissed(database, reason);
    }

    /**
     * Asks all replicas at the same time who they are. Those that do not answer soon are checked when they are first used.
     *
     * @param unreachable databases that cannot be asked who they are
     * @throws ReplicaMismatchException if one is no replica of its database
     */
    public void check(Set<String> unreachable) {
        List<FutureTask<Boolean>> checks = byDatabase.entrySet().stream()
                .filter(each -> !unreachable.contains(each.getKey()))
                .flatMap(each -> each.getValue().replicas.stream())
                .map(this::check)
                .toList();
        long end = System.nanoTime() + CHECK_NANOS;
        for (FutureTask<Boolean> check : checks) {
            try {
                check.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof ReplicaMismatchException mismatch) {
                    throw mismatch;
                }
                throw new IllegalStateException(e.getCause());
            } catch (TimeoutException e) {
                LOG.info("A replica did not answer within {} s; it is checked when it is used", CHECK_SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private FutureTask<Boolean> check(Replica replica) {
        FutureTask<Boolean> check = new FutureTask<>(() -> {
            try {
                open(replica).release();
                return true;
            } catch (SQLException e) {
                replica.fails(Fallback.UNREACHABLE, e);
                return false;
            }
        });
        Thread thread = new Thread(check, "sharded-id-replica-check");
        thread.setDaemon(true);
        thread.start();
        return check;
    }

    private record Answer(String identity, boolean inRecovery) {}

    /**
     * Makes sure in one round trip that a replica is one of its database: a hot standby that holds the meta tables of the same cluster
     * and database. The connection is in autocommit.
     */
    private void verify(Replica replica, Connection connection) throws SQLException {
        Answer answer = ask(connection);
        if (!answer.inRecovery) {
            throw new ReplicaMismatchException(replica + " is no replica: it is not in recovery. Was it promoted, or is"
                    + " it the database itself? Configure a hot standby that streams from database "
                    + replica.database() + ".");
        }
        String expected = expected(replica.database());
        if (!answer.identity.equals(expected)) {
            throw new ReplicaMismatchException(replica
                    + " is a standby of something else: the cluster and database there"
                    + " are " + answer.identity + ", those of database " + replica.database() + " are " + expected
                    + ". Correct the replica's URL.");
        }
    }

    private static Answer ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(QUESTION)) {
            return row.next() ? new Answer(row.getString(1), row.getBoolean(2)) : new Answer("none", false);
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState()) || UNDEFINED_SCHEMA.equals(e.getSQLState())) {
                return new Answer("none, as there is no table sharded_id.cluster", isInRecovery(connection));
            }
            throw e;
        }
    }

    private static boolean isInRecovery(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private String expected(String database) throws SQLException {
        String identity = identities.get(database);
        DataSource primary = primaries.get(database);
        if (identity == null && primary != null) {
            try (Connection connection = primary.getConnection()) {
                identity = ask(connection).identity;
            }
            identities.put(database, identity);
        }
        return identity == null ? "not known" : identity;
    }
}
