package io.github.shardedid.attack;

import io.github.shardedid.generator.IdSource;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that inserts through the project's data source, with ids from a source or from the column's default. */
final class RoutedSession {
    private static final int BURST = 3000;
    private static final int BATCH = 40;
    private static final int TRICKLE = 200;

    private final RoutingDataSource dataSource;
    private final Journal journal;

    RoutedSession(RoutingDataSource dataSource, Journal journal) {
        this.dataSource = dataSource;
        this.journal = journal;
    }

    /** Takes ids before the insert: a batch that is inserted, or a burst that mostly is not. */
    void insertFrom(IdSource source, Random random) throws SQLException, IOException {
        journal.begin();
        Place place = Place.any(random);
        boolean burst = random.nextInt(8) == 0;
        long[] ids = new long[1 + random.nextInt(burst ? BURST : BATCH)];
        try (ShardContext.Scope scope = ShardContext.open(place.shard());
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(random.nextInt(3) == 0);
            for (int i = 0; i < ids.length; i++) {
                ids[i] = source.next(place.shard(), place.sequence(), connection);
            }
            journal.handed(place, ids);
            if (!burst || random.nextInt(4) == 0) {
                connection.setAutoCommit(false);
                insert(connection, place, ids);
                end(connection, place, ids, random);
            }
        }
    }

    /**
     * Takes an id of every place about once a millisecond. Two holders of one node at the same time would meet at once:
     * each millisecond's ids begin with the same one.
     */
    void trickleFrom(IdSource source, List<Place> places) throws SQLException, IOException {
        journal.begin();
        long[][] ids = new long[places.size()][TRICKLE];
        try (Connection connection = dataSource.getConnection()) {
            for (int round = 0; round < TRICKLE; round++) {
                for (int i = 0; i < ids.length; i++) {
                    Place place = places.get(i);
                    ids[i][round] = source.next(place.shard(), place.sequence(), connection);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        for (int i = 0; i < ids.length; i++) {
            journal.handed(places.get(i), ids[i]);
        }
    }

    private void insert(Connection connection, Place place, long... ids) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + place.routed() + " (id, writer) VALUES (?, ?)")) {
            for (long id : ids) {
                insert.setLong(1, id);
                insert.setInt(2, journal.writer());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Lets the column's default make the ids; some transactions and savepoints are rolled back. */
    void insertByDefault(Random random) throws SQLException, IOException {
        journal.begin();
        Place place = Place.any(random);
        try (ShardContext.Scope scope = ShardContext.open(place.shard());
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            long[] kept = defaults(connection, place, 1 + random.nextInt(10));
            if (random.nextInt(4) == 0) {
                Savepoint savepoint = connection.setSavepoint();
                defaults(connection, place, 1 + random.nextInt(10));
                connection.rollback(savepoint);
            }
            end(connection, place, kept, random);
        }
    }

    private long[] defaults(Connection connection, Place place, int count) throws SQLException, IOException {
        long[] ids = new long[count];
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + place.routed() + " (writer) VALUES (?) RETURNING id")) {
            for (int i = 0; i < count; i++) {
                insert.setInt(1, journal.writer());
                try (ResultSet row = insert.executeQuery()) {
                    row.next();
                    ids[i] = row.getLong(1);
                }
                journal.handed(place, ids[i]);
            }
        }
        return ids;
    }

    private void end(Connection connection, Place place, long[] ids, Random random) throws SQLException, IOException {
        if (random.nextInt(8) == 0) {
            connection.rollback();
        } else {
            connection.commit();
            journal.committed(place, Arrays.copyOf(ids, ids.length));
        }
    }
}
