package io.github.shardedid.routing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Shards 0 and 1 on database pg1, 2 and 3 on pg2, each tapped and behind a pool, with a table each. */
final class TwoDatabases implements AutoCloseable {
    /** For a connection from a pool where nothing is down: as long as the slowest machine needs. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Where a pool is meant to give up. */
    static final Duration BRIEF = Duration.ofSeconds(1);

    final TestDatabase pg1;
    final TestDatabase pg2;
    final WireTap tap1;
    final WireTap tap2;
    final HikariDataSource pool1;
    final HikariDataSource pool2;
    final Cluster cluster = new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(map()));
    final RoutingDataSource routed;

    TwoDatabases() {
        this(RoutingOptions.DEFAULT);
    }

    TwoDatabases(RoutingOptions options) {
        this(options, PATIENCE);
    }

    TwoDatabases(RoutingOptions options, Duration wait) {
        this(PostgresServers.shared(1), PostgresServers.shared(2), options, wait);
    }

    /** The second pool waits so long for a connection. HikariCP heeds a later change of that after half a minute only. */
    TwoDatabases(PostgresServer first, PostgresServer second, RoutingOptions options, Duration wait) {
        pg1 = first.newDatabase();
        pg2 = second.newDatabase();
        create(pg1, 0, 1);
        create(pg2, 2, 3);
        tap1 = new WireTap(first.port());
        tap2 = new WireTap(second.port());
        pool1 = pool(pg1, tap1, PATIENCE);
        pool2 = pool(pg2, tap2, wait);
        routed = routed(options);
    }

    static ShardMap map() {
        return map(Map.of());
    }

    static ShardMap map(Map<String, String> unreachable) {
        return new ShardMap(
                4,
                List.of(
                        new ShardOwnership(0, "pg1", 1),
                        new ShardOwnership(1, "pg1", 1),
                        new ShardOwnership(2, "pg2", 1),
                        new ShardOwnership(3, "pg2", 1)),
                unreachable);
    }

    private static void create(TestDatabase database, int... shards) {
        for (int shard : shards) {
            String schema = ShardSchema.nameOf(shard);
            database.execute("CREATE SCHEMA " + schema + "; CREATE TABLE " + schema
                    + ".photo (id bigint PRIMARY KEY, caption text); INSERT INTO " + schema
                    + ".photo VALUES (1, 'of shard "
                    + shard + "'); CREATE FUNCTION " + schema
                    + ".sneak(bigint) RETURNS bigint LANGUAGE sql AS 'INSERT INTO "
                    + schema + ".photo VALUES ($1, ''sneaked'') RETURNING id'");
        }
    }

    private static HikariDataSource pool(TestDatabase database, WireTap tap, Duration wait) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(tap.url(database.name()) + "&currentSchema=no_shard");
        config.setUsername(database.server().username());
        config.setPassword(database.server().password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(wait.toMillis());
        return TestPools.behind(tap, config);
    }

    /** Another data source over the same pools. */
    RoutingDataSource routed(RoutingOptions options) {
        return new RoutingDataSource(cluster, Map.of("pg1", pool1, "pg2", pool2), options);
    }

    /** A connection with a transaction begun. */
    Connection transaction() throws SQLException {
        Connection connection = routed.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** The first value of a query in a shard, as text. */
    static String read(Connection connection, int shard, String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
        }
    }

    static int write(Connection connection, int shard, String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    static void insert(Connection connection, int shard, long id) throws SQLException {
        write(connection, shard, "INSERT INTO sharded_id_shard.photo VALUES (" + id + ", 'new')");
    }

    /** How many rows a shard has, seen from outside. */
    long count(int shard) {
        return (shard < 2 ? pg1 : pg2).queryLong("SELECT count(*) FROM " + ShardSchema.nameOf(shard) + ".photo");
    }

    /** How many physical connections are taken from the pools now. */
    int taken() {
        return taken(pool1) + taken(pool2);
    }

    private static int taken(HikariDataSource pool) {
        return pool.getHikariPoolMXBean() == null
                ? 0
                : pool.getHikariPoolMXBean().getActiveConnections();
    }

    /** Opens a connection in each pool, has the databases asked what is asked once, and forgets what that cost. */
    void warmUp() throws SQLException {
        try (Connection connection = transaction()) {
            read(connection, 0, "SELECT id FROM sharded_id_shard.photo");
            read(connection, 2, "SELECT id FROM sharded_id_shard.photo");
        }
        tap1.reset();
        tap2.reset();
    }

    @Override
    public void close() {
        pool1.close();
        pool2.close();
        tap1.close();
        tap2.close();
    }
}
