package io.github.shardedid.benchmarks.jvmid;

import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Generates one id in the JVM with this library. {@link PeerIdBenchmark} measures other generators. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@NullUnmarked
public class JvmIdBenchmark {
    /** Ids of the default layout spread over all shards, or of {@link ShardedDatabases#WIDE} in a single one. */
    @State(Scope.Benchmark)
    public static class Leases {
        @Param("")
        public String url;

        @Param("1")
        public int shards;

        LeasedIds ids;

        private final AtomicInteger threads = new AtomicInteger();

        /** Waits until all leases are granted. */
        @Setup
        public void lease() throws SQLException {
            ids = new LeasedIds(url, shards == 1 ? ShardedDatabases.WIDE : ShardedDatabases.NODES_32, shards);
        }

        /** Gives the leases back. */
        @TearDown
        public void release() throws SQLException {
            ids.close();
        }
    }

    /** Each thread goes round all shards, starting at one of its own. */
    @State(Scope.Thread)
    public static class Walk {
        private int shard;
        private int shards;

        /** Spreads the threads. */
        @Setup
        public void start(Leases leases) {
            shards = leases.shards;
            shard = leases.threads.getAndIncrement() * (shards / 2) % shards;
        }

        int next() {
            int next = shard + 1;
            shard = next == shards ? 0 : next;
            return shard;
        }
    }

    @Benchmark
    public long ours(Leases leases, Walk walk) throws SQLException {
        return leases.ids.next(walk.next());
    }
}
