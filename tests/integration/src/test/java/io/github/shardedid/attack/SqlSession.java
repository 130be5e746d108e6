package io.github.shardedid.attack;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.postgresql.PGConnection;

/** A session that writes with the column's default, in bulk and one by one, and that asks the functions directly. */
final class SqlSession {
    private static final int BULK = 8_000;
    private static final int WAYS = 8;

    private final Map<String, WorkerOptions.Home> homes;
    private final Journal journal;
    private final Map<String, Connection> connections = new HashMap<>();

    SqlSession(Map<String, WorkerOptions.Home> homes, Journal journal) {
        this.homes = homes;
        this.journal = journal;
    }

    void step(Random random) throws SQLException, IOException {
        journal.begin();
        Place place = Place.any(random);
        Connection connection = connection(place);
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            switch (random.nextInt(WAYS)) {
                case 0 -> singly(statement, place);
                case 1 -> take(statement, place, place.call("next_ids", ", " + (1 + random.nextInt(3000))));
                case 2 -> bulk(connection, statement, place, random);
                case 3 -> savepoint(connection, statement, place, random);
                case 4 -> copy(connection, place, 1 + random.nextInt(BULK / 4));
                case 5 -> timeout(statement, place, 1 + random.nextInt(30));
                default -> statement.execute(insert(place.schema() + ".published", BULK / 2));
            }
        }
    }

    private Connection connection(Place place) throws SQLException {
        for (Map.Entry<String, WorkerOptions.Home> entry : homes.entrySet()) {
            WorkerOptions.Home home = entry.getValue();
            if (home.shards().shards().anyMatch(shard -> shard == place.shard())) {
                Connection open = connections.get(entry.getKey());
                if (open == null || open.isClosed()) {
                    open = DriverManager.getConnection(home.url(), home.user(), home.password());
                    connections.put(entry.getKey(), open);
                }
                return open;
            }
        }
        throw new IllegalStateException("No home of " + place);
    }

    private void singly(Statement statement, Place place) throws SQLException, IOException {
        for (int i = 0; i < 20; i++) {
            take(statement, place, place.call("next_id", ""));
        }
    }

    private long[] take(Statement statement, Place place, String call) throws SQLException, IOException {
        return ids(statement, place, "SELECT " + call);
    }

    private String insert(String table, int rows) {
        return "INSERT INTO " + table + " (writer) SELECT " + journal.writer() + " FROM generate_series(1, " + rows
                + ")";
    }

    private void bulk(Connection connection, Statement statement, Place place, Random random)
            throws SQLException, IOException {
        connection.setAutoCommit(false);
        long[] ids = ids(statement, place, insert(place.qualified(), 1 + random.nextInt(BULK)) + " RETURNING id");
        if (random.nextInt(6) == 0) {
            connection.rollback();
        } else {
            connection.commit();
            journal.committed(place, ids);
        }
    }

    /** What is before the savepoint is kept, what follows is undone. */
    private void savepoint(Connection connection, Statement statement, Place place, Random random)
            throws SQLException, IOException {
        connection.setAutoCommit(false);
        String insert = insert(place.qualified(), 1 + random.nextInt(20)) + " RETURNING id";
        long[] kept = ids(statement, place, insert);
        Savepoint savepoint = connection.setSavepoint();
        ids(statement, place, insert);
        connection.rollback(savepoint);
        connection.commit();
        journal.committed(place, kept);
    }

    private void copy(Connection connection, Place place, int rows) throws SQLException, IOException {
        String lines = (journal.writer() + "\n").repeat(rows);
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + place.qualified() + " (writer) FROM STDIN", new StringReader(lines));
    }

    /** Ends by itself in most cases, before it has told any id. */
    private void timeout(Statement statement, Place place, int millis) throws SQLException {
        statement.execute("SET statement_timeout = " + millis);
        try {
            statement.execute(insert(place.qualified(), BULK));
        } finally {
            statement.execute("SET statement_timeout = 0");
        }
    }

    private long[] ids(Statement statement, Place place, String sql) throws SQLException, IOException {
        List<Long> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
        }
        long[] ids = found.stream().mapToLong(Long::longValue).toArray();
        journal.handed(place, ids);
        return ids;
    }
}
