package io.github.shardedid.benchmarks.jvmid;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.github.f4b6a3.tsid.TsidCreator;
import io.hypersistence.tsid.TSID;
import java.util.UUID;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SnowflakeId;

/** Alternative generators, each as its documentation recommends, or otherwise as in its own benchmark. */
final class PeerIds {
    /** The fastest of the steps that the generator's own benchmark has. */
    private static final long STEP = 1_000;

    private final SnowflakeId snowflake = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(1));
    private final SegmentChainId segments = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));
    private final TimeBasedEpochGenerator epoch = Generators.timeBasedEpochGenerator();

    long tsid() {
        return TSID.Factory.getTsid().toLong();
    }

    long tsidCreator() {
        return TsidCreator.getTsid().toLong();
    }

    long cosIdSnowflake() {
        return snowflake.generate();
    }

    long cosIdSegments() {
        return segments.generate();
    }

    UUID uuid4() {
        return UUID.randomUUID();
    }

    UUID uuid7() {
        return epoch.generate();
    }
}
