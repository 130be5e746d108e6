package io.github.shardedid.benchmarks;

import io.github.shardedid.id.IdLayout;
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
final class JvmIdFigures {
    private static final String OURS = "ours";
    private static final String TSID = "tsid";
    private static final String FLOOR = "floor";

    private final Extent extent;
    private final Report report;

    JvmIdFigures(Extent extent, Report report) {
        this.extent = extent;
        this.report = report;
        if (extent.quick()) {
            // JMH refuses to run twice on one machine, for the sake of the times, which nobody judges here.
            System.setProperty("jmh.ignoreLock", "true");
        }
    }

    /** Measures over as many shards as the database has. */
    void measure(Database many, int shards) throws Exception {
        Database one = Database.create(1);
        ShardedDatabases.withTables(ShardedDatabases.WIDE, 1, one).close();
        compare("one JVM id, 1 thread, one shard, ÷ TSID", 0.9, one, 1, 1);
        compare("one JVM id, 1 thread, " + shards + " shards, ÷ TSID", 0.9, many, shards, 1);
        compare("one JVM id, 2 threads, " + shards + " shards, ÷ TSID", 0.5, many, shards, 2);
        compare("one JVM id, 8 threads, one hot shard, ÷ TSID", 1.0, one, 1, 8);
        int ids = 1_000_000;
        report.other(
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
        report.ratio(what, goal, rounds, OURS, TSID, "ns");
        report.ratio(what.replace("TSID", "a clock and an atomic number"), null, rounds, OURS, FLOOR, "ns");
        report.raw(what + ", ns per id and thread", rounds);
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
    static long allocated(Database database, int ids) throws Exception {
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

    /** The database with many shards, which the figure of a backend's memory uses, too. */
    static Database manyShards(int shards) throws Exception {
        Database database = Database.create(1);
        ShardedDatabases.withTables(IdLayout.DEFAULT, shards, database).close();
        return database;
    }
}
