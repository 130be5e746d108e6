package io.github.shardedid.benchmarks.move;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.InstalledPostgresServer;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Four shards on two databases. Shard 0 moves back and forth. */
final class MovedShard implements AutoCloseable {
    static final int SHARDS = 4;

    private final List<AutoCloseable> closed = new ArrayList<>();
    private final Map<String, Database> databases = new LinkedHashMap<>();
    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();
    private final List<Long> pauses = new ArrayList<>();
    private final ClusterDefinition definition;
    private final ShardMover mover;
    private String home = "pg1";

    private MovedShard(Database first, Database second, ReplicationSource toFirst, ReplicationSource toSecond) {
        databases.put("pg1", first);
        databases.put("pg2", second);
        databases.forEach((name, database) -> pools.put(name, database.pool(name)));
        pools.values().forEach(pool -> pool.setMaximumPoolSize(40));
        closed.addAll(pools.values());
        definition = new ClusterDefinition(
                IdLayout.DEFAULT, SHARDS, Map.of("pg1", ShardRanges.parse("0-1"), "pg2", ShardRanges.parse("2-3")));
        ShardMigrations migrations = ShardMigrations.at(MovedShard.class.getClassLoader(), "classpath:db/moved");
        new Provisioner(definition, pools, migrations).provision();
        Map<String, ReplicationSource> reach = Map.of("pg1", toFirst, "pg2", toSecond);
        mover = new ShardMover(definition, pools, migrations, MoveOptions.DEFAULT.withReplicationSources(reach));
    }

    /** On the first two servers of a run. */
    static MovedShard onServersOfTheRun() throws SQLException {
        Database first = Database.create(1);
        Database second = Database.create(2);
        return new MovedShard(first, second, first.reach(1), second.reach(2));
    }

    static MovedShard on(InstalledPostgresServer first, InstalledPostgresServer second) {
        Database one = database(first);
        Database other = database(second);
        MovedShard shard = new MovedShard(one, other, one.reach(), other.reach());
        shard.closed.addAll(0, List.of(first, second));
        return shard;
    }

    private static Database database(PostgresServer server) {
        return new Database(server.newDatabase().url());
    }

    private Database at(String name) {
        return Objects.requireNonNull(databases.get(name));
    }

    /** Rows of shard 0, about 1 GB with indexes for 800,000 with three remarks each. */
    void fill(int photos, int remarksOfEach) throws Exception {
        at(home).execute("INSERT INTO shard_0000.photo (user_id, caption, data) SELECT i % 1000, 'caption ' || i,"
                + " repeat(md5(i::text), 10) FROM generate_series(1, " + photos + ") i");
        at(home).execute("INSERT INTO shard_0000.remark (photo_id, text) SELECT id, repeat(md5(n || id::text), 5)"
                + " FROM shard_0000.photo, generate_series(1, " + remarksOfEach + ") n");
        at(home).execute("CHECKPOINT");
    }

    String size() throws Exception {
        try (Connection connection = at(home).connect()) {
            return Database.query(
                    connection,
                    "SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) FROM pg_class c WHERE relkind = 'r'"
                            + " AND relnamespace = 'shard_0000'::regnamespace");
        }
    }

    /** Seconds that it takes; the old copy is dropped. */
    double moveAway() throws Exception {
        String target = home.equals("pg1") ? "pg2" : "pg1";
        long start = System.nanoTime();
        Move move = mover.move(0, target);
        double seconds = (System.nanoTime() - start) / 1e9;
        mover.dropOldCopy(0, home);
        home = target;
        pauses.add(Objects.requireNonNull(move.pause()).toMillis());
        return seconds;
    }

    /** Seconds that {@code pg_dump | psql} of the schema takes, into a new database of the other server. */
    double dump(Path binaries) throws Exception {
        Database other = at(home.equals("pg1") ? "pg2" : "pg1");
        other.execute("DROP DATABASE IF EXISTS dumped");
        other.execute("CREATE DATABASE dumped");
        URI from = URI.create(at(home).url().substring("jdbc:".length()));
        URI to = URI.create(other.url().substring("jdbc:".length()));
        String client = "-h " + from.getHost() + " -U postgres -p ";
        String pipe = "set -o pipefail; { " + binaries + "/pg_dump " + client + from.getPort() + " -n sharded_id "
                + from.getPath().substring(1) + " --schema-only; " + binaries + "/pg_dump " + client + from.getPort()
                + " -n shard_0000 " + from.getPath().substring(1) + "; } | " + binaries + "/psql -q -v ON_ERROR_STOP=1"
                + " -o /dev/null " + client + to.getPort() + " dumped";
        long start = System.nanoTime();
        int code = new ProcessBuilder("bash", "-c", pipe).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(pipe + " ended with " + code);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    /** An application's data source with a shard map that is refreshed. */
    RoutingDataSource application() {
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(definition, pools));
        closed.add(new ShardMapKeeper(map, pools));
        return new RoutingDataSource(new Cluster(definition.layout(), map), pools);
    }

    long medianPause() {
        List<Long> sorted = new ArrayList<>(pauses);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    long lastPause() {
        return pauses.get(pauses.size() - 1);
    }

    long longestPause() {
        return Collections.max(pauses);
    }

    /** The servers last. */
    @Override
    public void close() throws Exception {
        for (int i = closed.size() - 1; i >= 0; i--) {
            closed.get(i).close();
        }
    }
}
