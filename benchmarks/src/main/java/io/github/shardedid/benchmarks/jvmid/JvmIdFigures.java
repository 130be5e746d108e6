package io.github.shardedid.benchmarks.jvmid;

import com.fasterxml.uuid.Generators;
import com.github.f4b6a3.tsid.TsidCreator;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.hypersistence.tsid.TSID;
import java.util.Comparator;
import java.util.List;
import me.ahoo.cosid.snowflake.SnowflakeId;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Generation of ids in the JVM, by this library and by {@link JvmWay every peer}, alternately. A peer has no shards, so its cost for a
 * number of threads is measured once per round, and compared with that of this library for one hot shard and for many shards.
 */
public final class JvmIdFigures {
    private static final String ONE = "ours, one hot shard";
    private static final String MANY = "ours, many shards";
    private static final double FLOOR_GOAL = 1.3;
    private static final int IDS = 1_000_000;

    private final Extent extent;
    private final Section section;
    private final Forks forks;
    private final Database one;
    private final Database many;

    private JvmIdFigures(Extent extent, Section section, Database one, Database many) {
        this.extent = extent;
        this.section = section;
        this.forks = new Forks(extent);
        this.one = one;
        this.many = many;
    }

    /** Measures ids of the JVM. */
    public static void measure(Extent extent, Section section) throws Exception {
        List.of(TSID.class, TsidCreator.class, SnowflakeId.class, Generators.class)
                .forEach(section::peer);
        Database many = Database.create(1);
        ShardedDatabases.withTables(ShardedDatabases.NODES_32, extent.shards(), many)
                .close();
        Database one = Database.create(1);
        ShardedDatabases.withTables(ShardedDatabases.WIDE, 1, one).close();
        JvmIdFigures figures = new JvmIdFigures(extent, section, one, many);
        figures.compare(1, 0.9, 0.9);
        figures.compare(2, null, 0.5);
        figures.compare(8, 1.0, null);
        JvmIdAllocation.note(section, one, extent.quick() ? IDS / 10 : IDS);
    }

    private void compare(int threads, @Nullable Double goalOfOne, @Nullable Double goalOfMany) throws Exception {
        Rounds rounds = new Rounds();
        for (int round = 0; round < extent.rounds(); round++) {
            rounds.add(ONE, forks.ours(threads, one, 1));
            rounds.add(MANY, forks.ours(threads, many, extent.shards()));
            addOthers(rounds, threads);
        }
        String what = "one JVM id, " + threads + (threads == 1 ? " thread, " : " threads, ");
        note(what + "one hot shard", rounds, ONE, goalOfOne);
        note(what + extent.shards() + " shards", rounds, MANY, goalOfMany);
        section.raw(what + "ns per id and thread", rounds);
    }

    private void addOthers(Rounds rounds, int threads) throws RunnerException {
        for (JvmWay way : JvmWay.others()) {
            rounds.add(way.label(), forks.other(way, threads));
        }
    }

    private void note(String what, Rounds rounds, String ours, @Nullable Double goal) {
        String best = JvmWay.rivals().stream()
                .map(JvmWay::label)
                .min(Comparator.comparingDouble(rounds::median))
                .orElseThrow();
        section.ratio(what + ", ÷ the best 64-bit time-ordered peer, here " + best, goal, rounds, ours, best, "ns");
        for (JvmWay way : JvmWay.others()) {
            Double limit = way == JvmWay.FLOOR ? Double.valueOf(FLOOR_GOAL) : null;
            section.ratio(what + ", ÷ " + way.label(), limit, rounds, ours, way.label(), "ns");
        }
    }
}
