package io.github.shardedid.benchmarks.jvmid;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One id made by each peer, whose methods have the names of {@link JvmWay}, and the least that a generator must do. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class PeerIdBenchmark {
    private final PeerIds peers = new PeerIds();
    private final AtomicLong last = new AtomicLong();

    @Benchmark
    public long tsid() {
        return peers.tsid();
    }

    @Benchmark
    public long tsidCreator() {
        return peers.tsidCreator();
    }

    @Benchmark
    public long cosIdSnowflake() {
        return peers.cosIdSnowflake();
    }

    @Benchmark
    public long cosIdSegments() {
        return peers.cosIdSegments();
    }

    @Benchmark
    public UUID uuid4() {
        return peers.uuid4();
    }

    @Benchmark
    public UUID uuid7() {
        return peers.uuid7();
    }

    /** Reads the clock and moves one atomic number on. */
    @Benchmark
    public long floor() {
        while (true) {
            long seen = last.get();
            long next = Math.max(seen + 1, System.nanoTime());
            if (last.compareAndSet(seen, next)) {
                return next;
            }
        }
    }
}
