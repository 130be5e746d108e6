package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.ClockSeam;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** A provisioned cluster of three shards with clocks that an attacker may set, on servers that it may crash. */
final class AttackedCluster implements AutoCloseable {
    private final List<TestDatabase> databases = new ArrayList<>();
    private final List<ShardRanges> shards;

    private AttackedCluster(List<ShardRanges> shards) {
        this.shards = shards;
        for (int i = 0; i < shards.size(); i++) {
            databases.add(PostgresServers.start().newDatabase());
        }
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        Map<String, DataSource> sources = new LinkedHashMap<>();
        for (int i = 0; i < shards.size(); i++) {
            ranges.put(name(i), shards.get(i));
            sources.put(name(i), databases.get(i).dataSource());
        }
        ClusterDefinition definition = new ClusterDefinition(IdLayout.DEFAULT, Place.SHARDS, ranges);
        new Provisioner(definition, sources, ShardMigrations.at("classpath:db/attack")).provision();
        databases.forEach(ClockSeam::install);
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            home(shard).execute(ClockSeam.published(shard, ShardSchema.nameOf(shard)));
        }
    }

    /** Shards 0 and 1 on one server, shard 2 on another. */
    static AttackedCluster ofTwoServers() {
        return new AttackedCluster(List.of(ShardRanges.of(0, 1), ShardRanges.of(2)));
    }

    /** All shards on one server. */
    static AttackedCluster ofOneServer() {
        return new AttackedCluster(List.of(ShardRanges.of(0, 1, 2)));
    }

    private static String name(int database) {
        return "pg" + (database + 1);
    }

    List<TestDatabase> databases() {
        return databases;
    }

    /** The database that is home of a shard. */
    TestDatabase home(int shard) {
        return databases.get(indexOfHome(shard));
    }

    /** Which database is home of a shard, from 0. */
    int indexOfHome(int shard) {
        for (int i = 0; i < databases.size(); i++) {
            if (shards.get(i).shards().anyMatch(one -> one == shard)) {
                return i;
            }
        }
        throw new IllegalStateException("No home of " + shard);
    }

    /** After a failover: the database is on another server now. */
    void replace(int database, PostgresServer server) {
        databases.set(database, new TestDatabase(server, databases.get(database).name()));
    }

    /** What a new worker is told. Where there is a standby, its host and port follow those of the server in the URL. */
    WorkerOptions options(Path directory, int number, long seed, Duration lease, String standby) {
        Map<String, WorkerOptions.Home> homes = new LinkedHashMap<>();
        for (int i = 0; i < databases.size(); i++) {
            PostgresServer server = databases.get(i).server();
            String url = "jdbc:postgresql://localhost:" + server.port() + standby + "/"
                    + databases.get(i).name() + "?targetServerType=primary&hostRecheckSeconds=1&socketTimeout=30";
            homes.put(name(i), new WorkerOptions.Home(url, server.username(), server.password(), shards.get(i)));
        }
        return new WorkerOptions(directory, number, seed, lease, homes);
    }

    @Override
    public void close() {
        databases.forEach(database -> database.server().close());
    }
}
