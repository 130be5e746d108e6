package io.github.shardedid.benchmarks.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The same photos three times: in the shards' schemas of two databases, where we and the peers that have a schema per shard
 * read them; in ShardingSphere's tables {@code photo_0}, {@code photo_1} … of the same two databases, with the same ids;
 * and as many of as many users in one table of a single database.
 */
public final class SamePhotos implements AutoCloseable {
    /** How many photos a user has. */
    public static final int PHOTOS_OF_A_USER = 20;

    private static final int SHARDS_PER_TRANSACTION = 50;

    private final int shards;
    private final int rowsPerShard;
    private final ShardedDatabases sharded;
    private final List<HikariDataSource> tablePools;
    private final List<HikariDataSource> schemaPools;
    private final HikariDataSource plainPool;

    /** Prepares three databases. */
    public SamePhotos(int shards, int rowsPerShard, Database first, Database second, Database single)
            throws SQLException {
        this.shards = shards;
        this.rowsPerShard = rowsPerShard;
        sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, shards, first, second);
        fill(first, 0, shards / 2);
        fill(second, shards / 2, shards);
        single.execute("CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text);"
                + " INSERT INTO photo SELECT n, n % " + users() + ", 'photo ' || n FROM generate_series(1, " + rows()
                + ") n; CREATE INDEX ON photo (user_id); ANALYZE photo");
        tablePools = List.of(first.pool("tables1"), second.pool("tables2"));
        schemaPools = List.of(first.pool("schemas1"), second.pool("schemas2"));
        plainPool = single.pool("plain");
    }

    private void fill(Database database, int from, int to) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int shard = from; shard < to; shard++) {
                statement.execute(fillingOf(shard));
                if (shard % SHARDS_PER_TRANSACTION == 0) {
                    connection.commit();
                }
            }
            connection.commit();
        }
    }

    private String fillingOf(int shard) {
        String table = ShardingSphere.tableOf(shard);
        return "SET LOCAL search_path = " + ShardSchema.nameOf(shard) + "; INSERT INTO photo (user_id, caption) SELECT "
                + shard + " + " + shards + " * (n % " + usersOfAShard() + "), 'photo ' || n FROM generate_series(1, "
                + rowsPerShard + ") n; CREATE INDEX ON photo (user_id); ANALYZE photo; CREATE TABLE " + table
                + " (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text); INSERT INTO " + table
                + " SELECT * FROM photo; CREATE INDEX ON " + table + " (user_id); ANALYZE " + table;
    }

    private int usersOfAShard() {
        return Math.max(1, rowsPerShard / PHOTOS_OF_A_USER);
    }

    /** How many users there are, from 0. */
    public int users() {
        return shards * usersOfAShard();
    }

    public int shards() {
        return shards;
    }

    public int rowsPerShard() {
        return rowsPerShard;
    }

    public long rows() {
        return (long) shards * rowsPerShard;
    }

    /** Some of the ids of a shard. */
    public List<Long> ids(int shard, int count) throws SQLException {
        try (Connection connection = tablePools.get(databaseOf(shard)).getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT id FROM " + ShardSchema.nameOf(shard)
                        + ".photo ORDER BY caption COLLATE \"C\" LIMIT " + count)) {
            List<Long> ids = new ArrayList<>();
            while (found.next()) {
                ids.add(found.getLong(1));
            }
            return ids;
        }
    }

    int databaseOf(int shard) {
        return shard < shards / 2 ? 0 : 1;
    }

    public ShardedDatabases sharded() {
        return sharded;
    }

    /** Pools of the two databases for ShardingSphere. */
    List<HikariDataSource> tablePools() {
        return tablePools;
    }

    /** Pools of the two databases for peers that set a connection's schema, and leave it behind. */
    List<HikariDataSource> schemaPools() {
        return schemaPools;
    }

    /** The pool of the single database. */
    public HikariDataSource plainPool() {
        return plainPool;
    }

    @Override
    public void close() {
        plainPool.close();
        schemaPools.forEach(HikariDataSource::close);
        tablePools.forEach(HikariDataSource::close);
        sharded.close();
    }
}
