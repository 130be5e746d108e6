package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/** So many shards with so many rows in all, and Hibernate over them. */
public final class ScaledShards implements AutoCloseable {
    private final int shards;
    private final ShardedDatabases databases;
    private final SessionFactory sessions;
    private final List<Long> ids;

    /** As many rows in each shard. */
    public ScaledShards(int shards, int rows, Database... databases) throws Exception {
        this.shards = shards;
        ids = new ArrayList<>();
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
    public int shards() {
        return shards;
    }

    /** The ids of all rows, shard after shard. */
    List<Long> ids() {
        return ids;
    }

    SessionFactory sessions() {
        return sessions;
    }

    /** Hibernate over the same databases with other options. The caller closes it. */
    SessionFactory sessions(RoutingOptions options) {
        return Sessions.of(databases.dataSource(options), SavedByDatabase.class);
    }

    /** Changes the size of each database's pool. */
    public void resizePools(int connections) {
        databases.resizePools(connections);
    }

    /**
     * The shards of so many calls, of which each goes to another shard than the one before: first through the shards of one
     * database and then through those of the other, so that both are as warm whatever the number of shards is.
     */
    public int[] shardsInTurn(int calls, int among) {
        int half = among / 2;
        return IntStream.range(0, calls)
                .map(call -> call < calls / 2 ? call % half : shards / 2 + call % half)
                .toArray();
    }

    /** A row of each of these shards, another one each time while there are some. */
    public List<Long> idsOf(int[] inTurn) {
        int rows = ids.size() / shards;
        int[] next = new int[shards];
        return Arrays.stream(inTurn)
                .mapToObj(shard -> ids.get(shard * rows + next[shard]++ % rows))
                .toList();
    }

    /** Finds a photo in a transaction. */
    public void find(long id) {
        sessions.inTransaction(session -> find(session, id));
    }

    /** Finds any photo in a transaction. */
    public void findAny() {
        sessions.inTransaction(this::any);
    }

    /** Finds any two photos and changes one of them, in one transaction. */
    void updateAny() {
        sessions.inTransaction(session -> {
            SavedByDatabase own = any(session);
            own.caption = "after " + any(session).id;
        });
    }

    private SavedByDatabase any(Session session) {
        return find(session, ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
    }

    static SavedByDatabase find(Session session, long id) {
        SavedByDatabase found = session.find(SavedByDatabase.class, id);
        if (found == null) {
            throw new IllegalStateException("Nothing was found by id " + id);
        }
        return found;
    }

    /** Saves a photo, whose id is made by the database, in a transaction. */
    public void saveByDatabase(int shard) {
        sessions.inTransaction(session -> session.persist(new SavedByDatabase(shard, "saved alone")));
    }

    /** Saves a remark, whose id is made by the JVM, in a transaction. */
    public void saveByJvm(int shard) {
        saveByJvm(shard, 1);
    }

    /** Saves so many remarks in one transaction. */
    void saveByJvm(int shard, int number) {
        sessions.inTransaction(session -> {
            for (int i = 0; i < number; i++) {
                session.persist(new SavedByJvm(shard, "saved alone"));
            }
        });
    }

    @Override
    public void close() {
        sessions.close();
        databases.close();
    }
}
