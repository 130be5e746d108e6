package io.github.shardedid.benchmarks.scale;

import io.github.shardedid.benchmarks.jpa.SavedByDatabase;
import io.github.shardedid.benchmarks.jpa.SavedByJvm;
import io.github.shardedid.benchmarks.jpa.Sessions;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/** So many shards with so many rows in all, and Hibernate over them. */
final class ScaledShards implements AutoCloseable {
    private final int shards;
    private final ShardedDatabases databases;
    private final SessionFactory sessions;
    private final List<Long> ids = new ArrayList<>();

    /** As many rows in each shard. */
    ScaledShards(int shards, int rows, Database... databases) throws Exception {
        this.shards = shards;
        this.databases = ShardedDatabases.withTables(IdLayout.DEFAULT, shards, databases);
        sessions = Sessions.of(this.databases.dataSource(), SavedByDatabase.class, SavedByJvm.class);
        for (int shard = 0; shard < shards; shard++) {
            fill(shard, Math.max(1, rows / shards));
        }
    }

    private void fill(int shard, int rows) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = databases.dataSource().getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO "
                        + RoutingDataSource.SCHEMA_PLACEHOLDER + ".photo (user_id, caption) SELECT " + shard
                        + ", 'to be found' FROM generate_series(1, " + rows + ") RETURNING id");
                ResultSet row = insert.executeQuery()) {
            while (row.next()) {
                ids.add(row.getLong(1));
            }
        }
    }

    /** How many there are. */
    int shards() {
        return shards;
    }

    SessionFactory sessions() {
        return sessions;
    }

    void resizePools(int connections) {
        databases.resizePools(connections);
    }

    /**
     * The shards of so many calls, of which each goes to another shard than the one before: first through the shards of one
     * database and then through those of the other, so that both are as warm whatever the number of shards is.
     */
    int[] shardsInTurn(int calls, int among) {
        int half = among / 2;
        return IntStream.range(0, calls)
                .map(call -> call < calls / 2 ? call % half : shards / 2 + call % half)
                .toArray();
    }

    /** A row of each of these shards, another one each time while there are some. */
    List<Long> idsOf(int[] inTurn) {
        int rows = ids.size() / shards;
        int[] next = new int[shards];
        return Arrays.stream(inTurn)
                .mapToObj(shard -> ids.get(shard * rows + next[shard]++ % rows))
                .toList();
    }

    /** Finds a photo in a transaction. */
    void find(long id) {
        sessions.inTransaction(session -> require(session, id));
    }

    /** Finds any photo in a transaction. */
    void findAny() {
        find(ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
    }

    private static void require(Session session, long id) {
        if (session.find(SavedByDatabase.class, id) == null) {
            throw new IllegalStateException("Nothing was found by id " + id);
        }
    }

    /** Saves a photo, whose id is made by the database, in a transaction. */
    void saveByDatabase(int shard) {
        save(shard, user -> new SavedByDatabase(user, "saved alone"));
    }

    /** Saves a remark, whose id is made by the JVM, in a transaction. */
    void saveByJvm(int shard) {
        save(shard, user -> new SavedByJvm(user, "saved alone"));
    }

    private void save(int shard, LongFunction<Object> entity) {
        sessions.inTransaction(session -> session.persist(entity.apply(shard)));
    }

    @Override
    public void close() {
        sessions.close();
        databases.close();
    }
}
