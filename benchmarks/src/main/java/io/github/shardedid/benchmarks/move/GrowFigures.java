package io.github.shardedid.benchmarks.move;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The addition of as many shards as a cluster has, while an application writes to these. */
public final class GrowFigures {
    private static final int FEWEST = MovedShard.SHARDS;
    private static final int WRITES = 20_000;
    private static final String FIRST = "first";
    private static final String ADDED = "added";

    private final ShardMigrations migrations =
            ShardMigrations.at(GrowFigures.class.getClassLoader(), "classpath:db/moved");
    private final Rounds times = new Rounds();
    private final Rounds rates = new Rounds();
    private final int shards;
    private final int writes;
    private double longest;
    private long written;
    private int failures;

    private GrowFigures(int shards, int writes) {
        this.shards = shards;
        this.writes = writes;
    }

    /** Measures additions, each in a cluster of its own on two servers. */
    public static void measure(Extent extent, Section section) throws Exception {
        GrowFigures figures = new GrowFigures(Math.max(FEWEST, extent.shards() / 2), extent.of(WRITES));
        for (int round = 0; round < extent.rounds(); round++) {
            figures.grow();
        }
        figures.note(section);
    }

    private void note(Section section) {
        section.ratio(
                "addition of " + shards + " shards to " + shards + " under load ÷ the first provisioning of these",
                null,
                times,
                ADDED,
                FIRST,
                "s");
        section.ratio("a write meanwhile ÷ before", null, rates, ADDED, FIRST, "ms for each write of a thread");
        section.other(
                "longest of " + written + " writes meanwhile; failed calls",
                "–",
                String.format(Locale.ROOT, "%.0f ms; %d", longest, failures));
        section.raw("provisioning, s", times);
        section.raw("a write, ms", rates);
    }

    private void grow() throws Exception {
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        pools.put("pg1", Database.create(1).pool("pg1"));
        pools.put("pg2", Database.create(2).pool("pg2"));
        try {
            ClusterDefinition begun =
                    new ClusterDefinition(IdLayout.DEFAULT, shards, Map.of("pg1", half(0), "pg2", half(1)));
            times.add(FIRST, seconds(() -> new Provisioner(begun, pools, migrations).provision()));
            ClusterDefinition grown = new ClusterDefinition(IdLayout.DEFAULT, 2 * shards, begun.initialShards());
            CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(begun, pools));
            try (ShardMapKeeper keeper = new ShardMapKeeper(map, pools);
                    MovedLoad load = new MovedLoad(new RoutingDataSource(new Cluster(begun.layout(), map), pools))) {
                load.awaitWrites(writes);
                load.reset();
                rates.add(FIRST, milliseconds(load, () -> load.awaitWrites(writes)));
                load.reset();
                rates.add(
                        ADDED,
                        milliseconds(
                                load,
                                () -> times.add(
                                        ADDED, seconds(() -> new Provisioner(grown, pools, migrations).provision()))));
                load.stop();
                written += load.toMoving().count() + load.toOthers().count();
                longest = Math.max(
                        longest,
                        Math.max(load.toMoving().longest(), load.toOthers().longest()));
                failures += load.failures();
            }
        } finally {
            pools.values().forEach(HikariDataSource::close);
        }
    }

    private ShardRanges half(int index) {
        return ShardRanges.of(
                IntStream.range(shards * index / 2, shards * (index + 1) / 2).toArray());
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private static double seconds(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Returns how long one write took, while something was done. */
    private double milliseconds(MovedLoad load, Work work) throws Exception {
        long before = load.writes();
        double seconds = seconds(work);
        return 1_000 * seconds * MovedLoad.THREADS / (load.writes() - before);
    }
}
