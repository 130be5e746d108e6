package io.github.shardedid.routing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.HeldClock;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/**
 * Shards 0 and 1 on database pg1, which has two hot standbys that stream from it, and 2 and 3 on pg2, which has none. In each
 * shard a view {@code place} says on which port its server listens.
 */
final class ReplicatedCluster implements AutoCloseable {
    private final PostgresServer server = PostgresServers.start();
    final TestDatabase pg1 = server.newDatabase();
    final TestDatabase pg2 = PostgresServers.shared(1).newDatabase();
    final WireTap primaryTap = new WireTap(server.port());
    final List<TestDatabase> standbys = new ArrayList<>();
    final List<WireTap> taps = new ArrayList<>();
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final Duration wait;
    private final Map<String, DataSource> primaries;
    final List<DataSource> replicas = new ArrayList<>();
    final Cluster cluster;
    final HeldClock clock = new HeldClock();

    /** Pools wait so long for a connection: as long as the slowest machine needs, unless a server is to be found down. */
    ReplicatedCluster(Duration wait) {
        this.wait = wait;
        primaries = Map.of("pg1", pool(primaryTap.url(pg1.name())), "pg2", pool(pg2.url() + "?"));
        ClusterDefinition definition = new ClusterDefinition(
                IdLayout.DEFAULT, 4, Map.of("pg1", ShardRanges.parse("0-1"), "pg2", ShardRanges.parse("2-3")));
        new Provisioner(definition, primaries, ShardMigrations.none()).provision();
        for (int shard = 0; shard < 4; shard++) {
            String schema = ShardSchema.nameOf(shard);
            (shard < 2 ? pg1 : pg2)
                    .execute("CREATE TABLE " + schema + ".photo (id bigint PRIMARY KEY, caption text); CREATE SEQUENCE "
                            + schema + ".photo_id_seq MINVALUE 0; CREATE VIEW " + schema
                            + ".place AS SELECT current_setting('port')::int AS port");
        }
        for (int i = 0; i < 2; i++) {
            PostgresServer standby = PostgresServers.standbyOf(server);
            standbys.add(new TestDatabase(standby, pg1.name()));
            taps.add(new WireTap(standby.port()));
            replicas.add(pool(taps.get(i).url(pg1.name())));
        }
        cluster = new Cluster(
                IdLayout.DEFAULT, new CurrentShardMap(new DatabaseShardMapSource(definition, primaries), clock));
        replay();
    }

    DataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url + "&currentSchema=no_shard");
        config.setUsername(server.username());
        config.setPassword(server.password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(wait.toMillis());
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /** How many connections are borrowed from the pools just now. */
    int taken() {
        return pools.stream()
                .filter(pool -> pool.getHikariPoolMXBean() != null)
                .mapToInt(pool -> pool.getHikariPoolMXBean().getActiveConnections())
                .sum();
    }

    /** Is told what becomes of the replicas. */
    RoutingListener listener = new RoutingListener() {};

    RoutingDataSource routed(Map<String, List<DataSource>> options) {
        return routed(options, true);
    }

    RoutingDataSource routed(Map<String, List<DataSource>> options, boolean deferredBegin) {
        RoutingOptions usual = RoutingOptions.DEFAULT;
        return new RoutingDataSource(
                cluster,
                primaries,
                new RoutingOptions(
                        deferredBegin,
                        Map.of(),
                        usual.scatter(),
                        options,
                        null,
                        usual.fenceWait(),
                        usual.mapAge(),
                        listener,
                        usual.commonSchemas()));
    }

    /** With both replicas, which are retried after ten seconds by the clock. */
    Map<String, List<DataSource>> both() {
        return Map.of("pg1", replicas);
    }

    int primaryPort() {
        return server.port();
    }

    int port(int replica) {
        return standbys.get(replica).server().port();
    }

    PostgresServer server() {
        return server;
    }

    /** The port of the server that answers a plain query. */
    static int place(Connection connection, int shard) throws SQLException {
        return Integer.parseInt(
                TwoDatabases.read(connection, shard, "SELECT port FROM sharded_id_shard.place WHERE port > 0"));
    }

    /** The same of a query that needs a transaction. */
    static int placeInside(Connection connection, int shard) throws SQLException {
        return Integer.parseInt(TwoDatabases.read(connection, shard, "SELECT current_setting('port')"));
    }

    static Connection readOnly(RoutingDataSource source) throws SQLException {
        Connection connection = source.getConnection();
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        return connection;
    }

    /** From now on, the standbys hear of what happens, but do not show it. */
    void pause() {
        standbys.forEach(standby -> standby.query("SELECT pg_wal_replay_pause()"));
        standbys.forEach(
                standby -> Awaitility.await().until(() -> standby.query("SELECT pg_get_wal_replay_pause_state()")
                        .contains("paused")));
    }

    /** Until the standbys have everything. */
    void replay() {
        standbys.forEach(standby -> standby.query("SELECT pg_wal_replay_resume()"));
        String now = pg1.query("SELECT pg_current_wal_lsn()").get(0);
        standbys.forEach(standby -> Awaitility.await()
                .until(() -> standby.query("SELECT pg_last_wal_replay_lsn() >= '" + now + "'")
                        .contains("t")));
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        taps.forEach(WireTap::close);
        primaryTap.close();
        standbys.forEach(standby -> standby.server().close());
        server.close();
        pg2.drop();
    }
}
