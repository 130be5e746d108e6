package io.github.shardedid.benchmarks.jvmid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of JVM ids, each measurement in a separate JVM. */
final class Forks {
    private static final int WARM_UPS = 24;
    private static final int ITERATIONS = 20;

    private final Extent extent;

    Forks(Extent extent) {
        this.extent = extent;
        if (extent.quick()) {
            // JMH refuses to run twice on one machine, for accurate times, which do not matter here.
            System.setProperty("jmh.ignoreLock", "true");
        }
    }

    /** Nanoseconds per id and thread of a database's shards. */
    double ours(int threads, Database database, int shards) throws RunnerException {
        return run(options(JvmIdBenchmark.class, JvmWay.OURS, threads)
                .param("url", database.url())
                .param("shards", Integer.toString(shards)));
    }

    /** The same of a peer, or of the floor. */
    double other(JvmWay way, int threads) throws RunnerException {
        return run(options(PeerIdBenchmark.class, way, threads));
    }

    private ChainedOptionsBuilder options(Class<?> benchmark, JvmWay way, int threads) {
        TimeValue time = TimeValue.milliseconds(extent.quick() ? 10 : 50);
        return new OptionsBuilder()
                .include("\\b" + benchmark.getSimpleName() + "\\." + way.method() + "$")
                .threads(threads)
                .forks(extent.quick() ? 0 : 1)
                .warmupIterations(extent.quick() ? 2 : WARM_UPS)
                .warmupTime(time)
                .measurementIterations(extent.quick() ? 3 : ITERATIONS)
                .measurementTime(time)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .jvmArgsAppend("-Dsharded-id.benchmarks.servers=" + System.getProperty(Database.SERVERS, ""));
    }

    /** The median of many short iterations: the scheduler of a busy machine disturbs some of them, not the median. */
    private static double run(ChainedOptionsBuilder options) throws RunnerException {
        Collection<RunResult> results = new Runner(options.build()).run();
        RunResult result = results.iterator().next();
        return result.getPrimaryResult().getStatistics().getPercentile(50);
    }
}
