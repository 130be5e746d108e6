package io.github.shardedid.benchmarks.scale;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Latencies;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.SilentServer;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardMapSource;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Calls for healthy shards while many callers ask for a fenced shard, or for a database that hangs. */
public final class OutageFigures {
    private static final int CALLERS = 200;
    private static final int CLIENTS = 4;
    private static final int CALLS = 2_000;

    /** After a failure; by then all callers have called at least once. */
    private static final long PAUSE_MILLIS = 1_000;

    private static final double GOAL = 1.2;
    private static final int FENCED = 1;
    private static final int DEAD = 2;
    private static final List<Integer> HEALTHY = List.of(0, 3);
    private static final ClusterDefinition DEFINITION =
            new ClusterDefinition(IdLayout.DEFAULT, 4, Map.of("pg1", ShardRanges.parse("0-3")));

    private final Extent extent;
    private final Section section;
    private final HikariDataSource living;
    private final HikariDataSource dead;
    private final CurrentShardMap map;

    private OutageFigures(Extent extent, Section section, Database database, SilentServer silent) {
        this.extent = extent;
        this.section = section;
        this.living = database.pool("pg1");
        this.dead = new HikariDataSource();
        dead.setJdbcUrl(silent.url());
        dead.setMinimumIdle(0);
        dead.setInitializationFailTimeout(-1);
        dead.setConnectionTimeout(5_000);
        ShardMapSource source = new DatabaseShardMapSource(DEFINITION, Map.of("pg1", living));
        this.map = new CurrentShardMap(() -> withDeadDatabase(source.load()));
    }

    /** The map, as it is when a database has fallen silent that owns a shard. */
    private static ShardMap withDeadDatabase(ShardMap living) {
        List<ShardOwnership> owners = IntStream.range(0, living.shardCount())
                .mapToObj(shard -> shard == DEAD
                        ? new ShardOwnership(shard, "pg2", 2)
                        : new ShardOwnership(
                                shard,
                                living.databaseOf(shard),
                                living.generationOf(shard),
                                living.isFenced(shard)
                                        ? ShardOwnership.Standing.FENCED
                                        : ShardOwnership.Standing.SERVING))
                .toList();
        return new ShardMap(living.shardCount(), owners, Map.of("pg2", "no answer"));
    }

    /** Measures the calls. */
    public static void measure(Extent extent, Section section) throws Exception {
        Database database = Database.create(1);
        ShardedDatabases.withTables(IdLayout.DEFAULT, DEFINITION.shardCount(), database)
                .close();
        for (int shard : HEALTHY) {
            database.execute("INSERT INTO " + ShardSchema.nameOf(shard)
                    + ".photo (id, user_id, caption) SELECT i, i, 'found' FROM generate_series(1, 1000) i");
        }
        database.execute("UPDATE sharded_id.shard SET state = 'FENCED' WHERE shard = " + FENCED);
        try (SilentServer silent = new SilentServer()) {
            OutageFigures figures = new OutageFigures(extent, section, database, silent);
            try (HikariDataSource living = figures.living;
                    HikariDataSource dead = figures.dead;
                    ShardMapKeeper keeper = new ShardMapKeeper(figures.map, Map.of("pg1", living));
                    Clients clients = new Clients(CLIENTS)) {
                figures.compare(clients);
            }
        }
    }

    private RoutingDataSource routing(Duration fenceWait) {
        return new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, map),
                Map.of("pg1", living, "pg2", dead),
                RoutingOptions.DEFAULT.withFenceWait(fenceWait));
    }

    private void compare(Clients clients) throws Exception {
        RoutingDataSource patient = routing(Duration.ofHours(1));
        RoutingDataSource brief = routing(Duration.ofMillis(100));
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("none", () -> p99(clients, brief));
        ways.put("waiting", () -> beside(patient, FENCED, () -> p99(clients, patient)));
        ways.put("fenced", () -> beside(brief, FENCED, () -> p99(clients, brief)));
        ways.put("dead", () -> beside(brief, DEAD, () -> p99(clients, brief)));
        Rounds.run(extent.rounds(2), ways);
        Rounds rounds = Rounds.run(extent.rounds(40), ways);
        String what = "99 % of calls for other shards, beside " + CALLERS + " callers ";
        ratio(what + "that wait for a fenced shard ÷ none", rounds, "waiting");
        ratio(what + "of a shard that stays fenced, each again a second after its failure ÷ none", rounds, "fenced");
        ratio(what + "of a database that hangs, each again a second after its failure ÷ none", rounds, "dead");
        section.raw("99th percentile of calls for other shards, ms", rounds);
    }

    private void ratio(String what, Rounds rounds, String way) {
        section.ratio(what, GOAL, rounds, way, "none", "ms");
    }

    private double p99(Clients clients, RoutingDataSource source) throws Exception {
        Latencies latencies = new Latencies();
        clients.micros(extent.of(CALLS), () -> {
            long began = System.nanoTime();
            int shard = HEALTHY.get(ThreadLocalRandom.current().nextInt(HEALTHY.size()));
            if (!find(source, shard)) {
                throw new IllegalStateException("A call for shard " + shard + " has failed.");
            }
            latencies.add(System.nanoTime() - began);
        });
        return latencies.millis(0.99);
    }

    private double beside(RoutingDataSource source, int shard, Rounds.Measurement measured) throws Exception {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Thread caller = new Thread(() -> call(source, shard), "caller-" + i);
            caller.setDaemon(true);
            callers.add(caller);
        }
        try {
            callers.forEach(Thread::start);
            Thread.sleep(PAUSE_MILLIS);
            return measured.cost();
        } finally {
            callers.forEach(Thread::interrupt);
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    private static void call(RoutingDataSource source, int shard) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MILLIS));
            while (!Thread.currentThread().isInterrupted() && !find(source, shard)) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there was an answer. */
    private static boolean find(RoutingDataSource source, int shard) {
        String sql = "SELECT caption FROM " + RoutingDataSource.SCHEMA_PLACEHOLDER + ".photo WHERE id = ?";
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(sql)) {
            query.setLong(1, 1 + ThreadLocalRandom.current().nextInt(1_000));
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            return false;
        }
    }
}
