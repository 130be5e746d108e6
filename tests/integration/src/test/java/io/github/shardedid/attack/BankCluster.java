package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A provisioned cluster of four shards on two servers, which it closes; shards are moved between these. */
final class BankCluster implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(4);

    private final Map<String, TestDatabase> databases = new LinkedHashMap<>();
    private final Map<String, ShardRanges> ranges = new LinkedHashMap<>();
    private final String scripts;

    BankCluster() {
        this(LoadOptions.SCRIPTS, PostgresServers::start);
    }

    /** With other tables, on other servers. */
    BankCluster(String scripts, Supplier<PostgresServer> servers) {
        this.scripts = scripts;
        add("pg1", servers.get(), ShardRanges.of(0, 1));
        add("pg2", servers.get(), ShardRanges.of(2, 3));
        provision();
    }

    private void provision() {
        new Provisioner(definition(), sources(), ShardMigrations.at(scripts)).provision();
    }

    /** A database was restored elsewhere; its old server is closed. */
    void replace(String name, TestDatabase restored) {
        database(name).server().close();
        databases.put(name, restored);
        provision();
    }

    private void add(String name, PostgresServer server, ShardRanges shards) {
        databases.put(name, server.newDatabase());
        ranges.put(name, shards);
    }

    Map<String, TestDatabase> databases() {
        return databases;
    }

    TestDatabase database(String name) {
        TestDatabase database = databases.get(name);
        if (database == null) {
            throw new IllegalArgumentException(name);
        }
        return database;
    }

    ClusterDefinition definition() {
        return new ClusterDefinition(IdLayout.DEFAULT, LoadOptions.SHARDS, ranges);
    }

    Map<String, DataSource> sources() {
        Map<String, DataSource> sources = new TreeMap<>();
        databases.forEach((name, database) -> sources.put(name, database.dataSource()));
        return sources;
    }

    ShardMap map() {
        return new DatabaseShardMapSource(definition(), sources()).load();
    }

    /** A map that can be kept up to date. */
    CurrentShardMap currentMap() {
        return new CurrentShardMap(new DatabaseShardMapSource(definition(), sources()));
    }

    /** What a new worker is told. */
    WorkerOptions options(Path directory, int number, long seed) {
        Map<String, WorkerOptions.Home> homes = new LinkedHashMap<>();
        databases.forEach((name, database) -> {
            PostgresServer server = database.server();
            ShardRanges shards = ranges.getOrDefault(name, ShardRanges.of());
            homes.put(
                    name,
                    new WorkerOptions.Home(
                            database.url() + "?socketTimeout=60&ApplicationName=" + applicationName(number),
                            server.username(),
                            server.password(),
                            shards));
        });
        return new WorkerOptions(directory, number, seed, LEASE, homes);
    }

    /** What the sessions of a worker are called. */
    static String applicationName(int number) {
        return "worker-" + number;
    }

    /** In the test's own process. */
    ShardMover mover(MoveOptions options) {
        return new ShardMover(definition(), sources(), ShardMigrations.at(scripts), options);
    }

    @Override
    public void close() {
        databases.values().forEach(database -> database.server().close());
    }
}
