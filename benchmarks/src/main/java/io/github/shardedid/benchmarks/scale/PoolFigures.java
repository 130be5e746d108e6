package io.github.shardedid.benchmarks.scale;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Latencies;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.benchmarks.start.BackendMemory;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.pool.PoolPart;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** A pool of which each connection serves some of the shards first, beside one of which each serves all. */
public final class PoolFigures {
    private static final int CONNECTIONS = 10;

    /** Of a pool in one part, Hikari uses one connection for each client that is busy; ten clients use all of them. */
    private static final List<Integer> CLIENTS = List.of(4, CONNECTIONS);

    private static final int ROWS = 20;

    /** Each session has prepared its statements after some calls of each. */
    private static final int WARMING_CALLS = 150_000;

    private final Database database;
    private final int shards;
    private final Cluster cluster;

    private PoolFigures(Database database, int shards, Cluster cluster) {
        this.database = database;
        this.shards = shards;
        this.cluster = cluster;
    }

    /** Measures calls and memory. */
    public static void measure(Extent extent, Section section) throws Exception {
        Database database = Database.create(1);
        try (ShardedDatabases sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, extent.shards(), database)) {
            try (Connection connection = database.connect()) {
                BackendMemory.addTables(connection, extent.shards());
            }
            PoolFigures figures = new PoolFigures(
                    database, extent.shards(), sharded.dataSource().cluster());
            figures.fill();
            for (int clients : CLIENTS) {
                figures.compare(extent, section, clients);
            }
        }
    }

    private void fill() throws SQLException {
        for (int shard = 0; shard < shards; shard++) {
            StringBuilder inserts = new StringBuilder();
            for (String table : BackendMemory.tables()) {
                inserts.append("INSERT INTO " + ShardSchema.nameOf(shard) + "." + table
                        + " (id, user_id, caption) SELECT row, row, 'to be found' FROM generate_series(1, " + ROWS
                        + ") row;");
            }
            database.execute(inserts.toString());
        }
        database.execute("VACUUM ANALYZE");
    }

    private void compare(Extent extent, Section section, int number) throws Exception {
        try (PartitionedDataSource parts = parts();
                HikariDataSource whole = pool("whole", CONNECTIONS);
                Clients clients = new Clients(number)) {
            Way ours = new Way("parts", new RoutingDataSource(cluster, Map.of("pg1", parts)), new Latencies());
            Way theirs = new Way("whole", new RoutingDataSource(cluster, Map.of("pg1", whole)), new Latencies());
            int warming = extent.of(WARMING_CALLS);
            clients.micros(warming, () -> call(ours.source(), 0));
            clients.micros(warming, () -> call(theirs.source(), 0));
            calls(extent, section, number, clients, ours, theirs);
            memory(section, number, parts, whole);
        }
    }

    /** One of the two pools, and how long skewed calls over it took. */
    private record Way(String name, RoutingDataSource source, Latencies skewed) {}

    private void calls(Extent extent, Section section, int number, Clients clients, Way ours, Way theirs)
            throws Exception {
        int calls = extent.of(5_000);
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        for (Way way : List.of(ours, theirs)) {
            ways.put(way.name(), () -> clients.micros(calls, () -> call(way.source(), 0)));
        }
        for (Way way : List.of(ours, theirs)) {
            ways.put(
                    way.name() + ", skewed",
                    () -> clients.micros(calls, () -> {
                        long began = System.nanoTime();
                        call(way.source(), 0.3);
                        way.skewed().add(System.nanoTime() - began);
                    }));
        }
        Rounds measured = Rounds.run(extent.rounds(20), ways);
        String over = " of " + number + " clients over " + shards + " shards × 5 tables, pool in parts ÷ whole pool";
        section.ratio("a call" + over, 0.6, measured, "parts", "whole", "µs");
        section.ratio("30 % to one shard, a call" + over, 1.0, measured, "parts, skewed", "whole, skewed", "µs");
        section.other(
                "30 % to one shard, " + number
                        + " clients: median / 99th percentile / longest, pool in parts (whole pool)",
                "no worse",
                ours.skewed().summary() + " (" + theirs.skewed().summary() + ")");
        section.raw("calls of " + number + " clients, µs", measured);
    }

    private void call(RoutingDataSource source, double toOneShard) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int shard = random.nextDouble() < toOneShard ? 0 : random.nextInt(shards);
        List<String> tables = BackendMemory.tables();
        String sql = "SELECT caption FROM " + RoutingDataSource.SCHEMA_PLACEHOLDER + "."
                + tables.get(random.nextInt(tables.size())) + " WHERE id = ?";
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, 1 + random.nextInt(ROWS));
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("Shard " + shard + " has no such row.");
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void memory(Section section, int number, PartitionedDataSource parts, HikariDataSource whole)
            throws Exception {
        List<DataSource> sources = parts.parts().stream().map(PoolPart::source).toList();
        section.other(
                "memory of the backends after " + number + " clients, pool in parts (whole pool)",
                "0.3 of it each",
                ofAll(sources) + " (" + ofAll(List.of(whole)) + ")");
    }

    /** Of the connections that are open. */
    private static String ofAll(List<DataSource> sources) throws Exception {
        List<Connection> held = new ArrayList<>();
        double megabytes = 0;
        try {
            for (DataSource source : sources) {
                int open = ((HikariDataSource) source).getHikariPoolMXBean().getTotalConnections();
                for (int i = 0; i < open; i++) {
                    Connection connection = source.getConnection();
                    held.add(connection);
                    megabytes += Database.number(
                                    connection, "SELECT sum(total_bytes) FROM pg_catalog.pg_backend_memory_contexts")
                            / 1e6;
                }
            }
            return String.format(Locale.ROOT, "%d of %.0f MB on average", held.size(), megabytes / held.size());
        } finally {
            for (Connection each : held) {
                each.close();
            }
        }
    }

    private PartitionedDataSource parts() {
        List<PoolPart> parts = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            parts.add(new PoolPart(pool("part " + i, 1), 1));
        }
        return new PartitionedDataSource("parts", parts, Duration.ofSeconds(30));
    }

    private HikariDataSource pool(String name, int connections) {
        HikariDataSource pool = database.pool(name);
        pool.setMaximumPoolSize(connections);
        return pool;
    }
}
