package io.github.shardedid.benchmarks.jvmid;

import io.github.shardedid.benchmarks.measure.Allocation;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.id.IdLayout;
import io.hypersistence.tsid.TSID;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link JvmIdBenchmark}: every measurement in a JVM of its own, ours and theirs turn by turn. */
public final class JvmIdFigures {
    private static final String OURS = "ours";
    private static final String TSID = "tsid";
    private static final String FLOOR = "floor";

    private final Extent extent;
    private final Section section;

    JvmIdFigures(Extent extent, Section section) {
        this.extent = extent;
        this.section = section;
        if (extent.quick()) {
            // JMH refuses to run twice on one machine, for the sake of the times, which nobody judges here.
            System.setProperty("jmh.ignoreLock", "true");
        }
    }

    /** Measures ids of the JVM. */
    public static void measure(Extent extent, Section section) throws Exception {
        section.peer(TSID.class);
        Database many = Database.create(1);
        ShardedDatabases.withTables(IdLayout.DEFAULT, extent.shards(), many).close();
        new JvmIdFigures(extent, section).measure(many, extent.shards());
    }

    /** Measures over as many shards as the database has. */
    private void measure(Database many, int shards) throws Exception {
        Database one = Database.create(1);
        ShardedDatabases.withTables(ShardedDatabases.WIDE, 1, one).close();
        compare("one JVM id, 1 thread, one shard, ÷ TSID", 0.9, one, 1, 1);
        compare("one JVM id, 1 thread, " + shards + " shards, ÷ TSID", 0.9, many, shards, 1);
        compare("one JVM id, 2 threads, " + shards + " shards, ÷ TSID", 0.5, many, shards, 2);
        compare("one JVM id, 8 threads, one hot shard, ÷ TSID", 1.0, one, 1, 8);
        int ids = 1_000_000;
        section.other(
                "bytes allocated by " + ids + " JVM ids, and by reading that counter", "0", allocated(one, ids) + "");
    }

    private void compare(String what, double goal, Database database, int shards, int threads) throws Exception {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put(OURS, () -> run(OURS, threads, database, shards));
        ways.put(TSID, () -> run(TSID, threads, database, shards));
        ways.put(FLOOR, () -> run(FLOOR, threads, database, shards));
        Rounds rounds = new Rounds();
        for (int round = 0; round < extent.rounds(); round++) {
            for (Map.Entry<String, Rounds.Measurement> way : ways.entrySet()) {
                rounds.add(way.getKey(), way.getValue().cost());
            }
        }
        section.ratio(what, goal, rounds, OURS, TSID, "ns");
        section.ratio(what.replace("TSID", "a clock and an atomic number"), null, rounds, OURS, FLOOR, "ns");
        section.raw(what + ", ns per id and thread", rounds);
    }

    private double run(String way, int threads, Database database, int shards) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\b" + JvmIdBenchmark.class.getSimpleName() + "\\." + way + "$")
                .threads(threads)
                .forks(extent.quick() ? 0 : 1)
                .warmupIterations(extent.quick() ? 2 : 60)
                .warmupTime(time())
                .measurementIterations(extent.quick() ? 3 : 40)
                .measurementTime(time())
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .jvmArgsAppend("-Dsharded-id.benchmarks.servers=" + System.getProperty(Database.SERVERS, ""));
        if (way.equals(OURS)) {
            options.param("url", database.url()).param("shards", Integer.toString(shards));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        RunResult result = results.iterator().next();
        // The median of many short iterations: the scheduler of a busy machine disturbs some of them, not the median.
        return result.getPrimaryResult().getStatistics().getPercentile(50);
    }

    /** How many bytes this thread allocates for so many ids of one shard. */
    public static long allocated(Database database, int ids) throws Exception {
        try (LeasedIds leased = new LeasedIds(database.url(), ShardedDatabases.WIDE, 1)) {
            long first = leased.next(0);
            return Allocation.by(() -> {
                long last = first;
                for (int i = 0; i < ids; i++) {
                    long id = leased.next(0);
                    if (id <= last) {
                        throw new IllegalStateException("The id " + id + " came after " + last);
                    }
                    last = id;
                }
            });
        }
    }

    private static TimeValue time() {
        return TimeValue.milliseconds(50);
    }
}
