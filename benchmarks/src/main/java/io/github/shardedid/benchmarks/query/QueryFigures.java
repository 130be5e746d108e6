package io.github.shardedid.benchmarks.query;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.measure.Timed;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.waiting.Waits;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.shardingsphere.driver.api.ShardingSphereDataSourceFactory;

/**
 * Queries over several shards by Hibernate: the newest rows of all, their number, and rows by a hundred ids of twenty
 * shards. The shards of two databases on one side; on the other ShardingSphere with the same rows, and a single table.
 */
public final class QueryFigures {
    private static final int FEW_SHARDS = 64;
    private static final double FEW_GOAL = 3;
    private static final double MANY_GOAL = 15;
    private static final double IDS_GOAL = 3;
    private static final double COUNT_GOAL = 2;

    private final Extent extent;
    private final int rounds;
    private final Section section;
    private final ManyShards shards;

    private QueryFigures(Extent extent, int rounds, Section section, ManyShards shards) {
        this.extent = extent;
        this.rounds = extent.rounds(rounds);
        this.section = section;
        this.shards = shards;
    }

    /** Measures queries over few shards. */
    public static void measureFew(Extent extent, Section section) throws Exception {
        measure(extent, Math.min(extent.shards(), FEW_SHARDS), 40, FEW_GOAL, section);
    }

    /** Measures queries over many shards. */
    public static void measureMany(Extent extent, Section section) throws Exception {
        measure(extent, extent.shards(), 10, MANY_GOAL, section);
    }

    /** Compares what a user waits for. */
    public static void measure(Waits waits, Database first, Database second, Database single) throws Exception {
        int count = Math.min(waits.extent().shards(), FEW_SHARDS);
        try (ManyShards shards = new ManyShards(count, waits.extent().of(1_000), first, second, single)) {
            Asking ours = shards.by(ManyShards.OURS);
            Asking table = shards.by(ManyShards.TABLE);
            String than = "one table of plain JPA";
            waits.compare(
                    "newest " + Asking.NEWEST + " of " + count + " shards",
                    than,
                    null,
                    1,
                    20,
                    ours::newest,
                    table::newest);
            List<List<Long>> ids = lists(shards, ManyShards.OURS, waits.extent());
            List<List<Long>> plainIds = lists(shards, ManyShards.TABLE, waits.extent());
            int[] calls = {0};
            waits.compare(
                    "rows by " + ManyShards.IDS + " ids of " + Math.min(ManyShards.SHARDS_OF_IDS, count) + " shards",
                    than,
                    null,
                    1,
                    20,
                    () -> ours.byIds(ids.get(calls[0]++ % ids.size())),
                    () -> table.byIds(plainIds.get(calls[0]++ % plainIds.size())));
        }
    }

    private static void measure(Extent extent, int count, int rounds, double goal, Section section) throws Exception {
        section.peer(ShardingSphereDataSourceFactory.class);
        try (ManyShards shards =
                new ManyShards(count, extent.of(1_000), Database.create(1), Database.create(2), Database.create(1))) {
            QueryFigures figures = new QueryFigures(extent, rounds, section, shards);
            String rows = " of " + count + " shards × " + shards.photos().rowsPerShard() + " rows";
            figures.measure("newest " + Asking.NEWEST + rows, goal, extent.of(4), Asking::newest);
            figures.measure("count" + rows, COUNT_GOAL, extent.of(2), Asking::count);
            figures.measureByIds("rows by " + ManyShards.IDS + " ids of " + Math.min(ManyShards.SHARDS_OF_IDS, count)
                    + " of " + count + " shards");
        }
    }

    /** Asks in one of the ways. */
    @FunctionalInterface
    private interface Query {
        void by(Asking asking);
    }

    private void measure(String what, double goal, int times, Query query) throws Exception {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        for (String name : shards.names()) {
            Asking asking = shards.by(name);
            ways.put(name, () -> Timed.micros(times, () -> query.by(asking)));
        }
        note(what, goal, ways);
    }

    private void measureByIds(String what) throws Exception {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        for (String name : shards.names()) {
            Asking asking = shards.by(name);
            List<List<Long>> ids = lists(shards, name, extent);
            int[] calls = {0};
            ways.put(name, () -> Timed.micros(extent.of(10), () -> asking.byIds(ids.get(calls[0]++ % ids.size()))));
        }
        note(what, IDS_GOAL, ways);
    }

    private static List<List<Long>> lists(ManyShards shards, String name, Extent extent) throws SQLException {
        List<List<Long>> lists = new ArrayList<>();
        for (int i = 0; i < extent.of(50); i++) {
            lists.add(shards.someIds(name));
        }
        return lists;
    }

    private void note(String what, double goal, Map<String, Rounds.Measurement> ways) throws Exception {
        Rounds.run(rounds / 2, ways);
        Rounds measured = Rounds.run(rounds, ways);
        section.ratio(what + " ÷ one table", goal, measured, ManyShards.OURS, ManyShards.TABLE, "µs");
        if (shards.names().contains(ManyShards.SHARDING_SPHERE)) {
            section.ratio(
                    what + " ÷ " + ManyShards.SHARDING_SPHERE,
                    1.0,
                    measured,
                    ManyShards.OURS,
                    ManyShards.SHARDING_SPHERE,
                    "µs");
        }
        section.raw(what + ", µs", measured);
    }
}
