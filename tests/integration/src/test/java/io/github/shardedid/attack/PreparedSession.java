package io.github.shardedid.attack;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A session that knows nothing of the project, as psql's: it writes with the column's default, by statements that the server
 * has prepared, where it wrote the last time. What it is refused at a fence it writes where the databases say then.
 */
final class PreparedSession {
    /** The schema, table, function or type is not there; the copy is not the shard; the privilege is gone; deadlock or lock timeout. */
    private static final Set<String> AT_A_FENCE = Set.of("3F000", "42P01", "42883", "42704", "ID002", "42501");

    private static final int CALLS = 20;
    private static final int TRIES = 3000;

    private final Map<String, WorkerOptions.Home> homes;
    private final Deeds deeds;
    private final Map<String, Connection> connections = new HashMap<>();
    private final Map<String, PreparedStatement> inserts = new HashMap<>();
    private final Map<Integer, String> last = new HashMap<>();

    PreparedSession(Map<String, WorkerOptions.Home> homes, Deeds deeds) {
        this.homes = homes;
        this.deeds = deeds;
    }

    void steps(Random random) {
        for (int i = 0; i < CALLS; i++) {
            writeTo(random.nextInt(LoadOptions.SHARDS), random);
        }
    }

    /** Some rows, in a transaction that is now and then rolled back. */
    void writeTo(int shard, Random random) {
        List<Long> tokens = LongStream.range(0, 1 + random.nextInt(4))
                .map(unused -> deeds.token())
                .boxed()
                .toList();
        deeds.tries("slip", tokens);
        writeSomewhere(shard, tokens, random.nextInt(10) > 0);
    }

    private void writeSomewhere(int shard, List<Long> tokens, boolean commit) {
        long start = System.nanoTime();
        for (int i = 0; i < TRIES; i++) {
            String home = last.getOrDefault(shard, homes.keySet().iterator().next());
            try {
                List<Long> ids = write(home, shard, tokens, commit);
                deeds.took(true, shard, start);
                for (int row = 0; commit && row < ids.size(); row++) {
                    deeds.wrote("slip", tokens.get(row), ids.get(row));
                }
                return;
            } catch (SQLException e) {
                if (!AT_A_FENCE.contains(String.valueOf(e.getSQLState()))) {
                    forget(home);
                    deeds.failed("in plain SQL: " + e.getSQLState() + " " + e.getMessage());
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                last.put(shard, homeOf(shard));
            }
        }
        deeds.failed("in plain SQL: nowhere to write to shard " + shard);
    }

    private List<Long> write(String home, int shard, List<Long> tokens, boolean commit) throws SQLException {
        Connection connection = connection(home);
        List<Long> ids = new ArrayList<>();
        try {
            connection.setAutoCommit(tokens.size() == 1 && commit);
            PreparedStatement insert = insert(home, shard);
            for (long token : tokens) {
                insert.setLong(1, token);
                try (ResultSet row = insert.executeQuery()) {
                    row.next();
                    ids.add(row.getLong(1));
                }
            }
        } catch (SQLException e) {
            if (!connection.isClosed() && !connection.getAutoCommit()) {
                connection.rollback();
            }
            throw e;
        }
        if (!connection.getAutoCommit()) {
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
        return ids;
    }

    private PreparedStatement insert(String home, int shard) throws SQLException {
        PreparedStatement insert = inserts.get(home + shard);
        if (insert == null) {
            insert = connection(home)
                    .prepareStatement(
                            "INSERT INTO " + ShardSchema.nameOf(shard) + ".slip (token) VALUES (?) RETURNING id");
            inserts.put(home + shard, insert);
        }
        return insert;
    }

    private Connection connection(String name) throws SQLException {
        Connection connection = connections.get(name);
        if (connection == null) {
            WorkerOptions.Home home = home(name);
            connection = DriverManager.getConnection(home.url() + "&prepareThreshold=1", home.user(), home.password());
            connections.put(name, connection);
        }
        return connection;
    }

    private WorkerOptions.Home home(String name) {
        WorkerOptions.Home home = homes.get(name);
        if (home == null) {
            throw new IllegalArgumentException(name);
        }
        return home;
    }

    /** As an operator would find out. */
    private String homeOf(int shard) {
        long highest = 0;
        String home = homes.keySet().iterator().next();
        for (String name : homes.keySet()) {
            long generation = generation(name, shard);
            if (generation > highest) {
                highest = generation;
                home = name;
            }
        }
        return home;
    }

    private long generation(String name, int shard) {
        try {
            Connection connection = connection(name);
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT generation FROM sharded_id.shard WHERE shard = "
                            + shard + " AND state IN ('ACTIVE', 'MOVING', 'FENCING')")) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException e) {
            deeds.failed("asking for the home: " + e.getMessage());
            forget(name);
            return 0;
        }
    }

    /** The next call has a new connection. */
    private void forget(String name) {
        connections.remove(name);
        inserts.keySet().removeIf(key -> key.startsWith(name));
    }
}
