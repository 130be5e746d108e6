package io.github.shardedid.benchmarks.jvmid;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.github.f4b6a3.tsid.TsidCreator;
import io.hypersistence.tsid.TSID;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One id made by each peer, whose methods have the names of {@link JvmWay}, and the least that a generator must do. Each
 * generator is used as its documentation recommends, or otherwise as in its own benchmark.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class PeerIdBenchmark {
    /** The fastest of the steps that the generator's own benchmark has. */
    private static final long STEP = 1_000;

    private final SnowflakeId snowflake = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(1));
    private final SegmentChainId segments = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));
    private final TimeBasedEpochGenerator epoch = Generators.timeBasedEpochGenerator();
    private final AtomicLong last = new AtomicLong();

    @Benchmark
    public long tsid() {
        return TSID.Factory.getTsid().toLong();
    }

    @Benchmark
    public long tsidCreator() {
        return TsidCreator.getTsid().toLong();
    }

    @Benchmark
    public long cosIdSnowflake() {
        return snowflake.generate();
    }

    @Benchmark
    public long cosIdSegments() {
        return segments.generate();
    }

    @Benchmark
    public UUID uuid4() {
        return UUID.randomUUID();
    }

    @Benchmark
    public UUID uuid7() {
        return epoch.generate();
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
