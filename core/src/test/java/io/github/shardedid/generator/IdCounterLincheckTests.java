package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Random operations of three threads on the counters of two JVMs that are handed one node in turns, in the interleavings
 * that a model checker chooses: whatever they return must be possible in some order of whole operations, one after the
 * other. In such an order no id can come twice, for each is larger than the one before.
 *
 * <p>The model checker rewrites classes as they are loaded, and does not know those of the newest JDKs.
 */
@EnabledForJreRange(max = JRE.JAVA_21)
@Tag("attack")
public class IdCounterLincheckTests {
    private static final long FOR_EVER = 1L << 39;
    private static final int LOW_BITS = IdLayout.DEFAULT.shardBits() + IdLayout.DEFAULT.sequenceBits();

    private final Jvm a = new Jvm();
    private final Jvm b = new Jvm();
    private long free = 1;

    private static final class Jvm {
        private final ShardLease lease = new ShardLease(5, 0);
        private final IdCounter counter = lease.newCounter();
    }

    @Operation
    public long idOfA() {
        return a.counter.advance(0);
    }

    @Operation
    public long idOfB() {
        return b.counter.advance(0);
    }

    @Operation
    public void raiseA() {
        a.counter.raise(IdLayout.DEFAULT.encode(3, 5, 100));
    }

    /** One after the other, as the database's row lock and the task of a shard see to. */
    @Operation
    public synchronized long giveBackA() {
        return giveBack(a);
    }

    @Operation
    public synchronized long giveBackB() {
        return giveBack(b);
    }

    @Operation
    public synchronized boolean grantA() {
        return grant(a, b);
    }

    @Operation
    public synchronized boolean grantB() {
        return grant(b, a);
    }

    private long giveBack(Jvm jvm) {
        if (jvm.lease.lease() == null) {
            return NodeLease.NONE;
        }
        long last = jvm.lease.seal();
        free = Math.max(free, (last >>> LOW_BITS) + 1);
        return last;
    }

    private boolean grant(Jvm jvm, Jvm other) {
        if (jvm.lease.lease() != null || other.lease.lease() != null) {
            return false;
        }
        LeaseStore.LeaseAnswer answer = new LeaseStore.LeaseAnswer(null, 0, free, FOR_EVER, free);
        jvm.lease.grant(new NodeLease(IdLayout.DEFAULT, 5, answer, 0, FOR_EVER));
        return true;
    }

    @Test
    void everyInterleavingEqualsSomeOrderOfWholeOperations() {
        boolean longer = Boolean.getBoolean("sharded-id.test.longer");
        new ModelCheckingOptions()
                .iterations(longer ? 200 : 4)
                .invocationsPerIteration(longer ? 2_000 : 100)
                .threads(3)
                .actorsPerThread(3)
                .check(IdCounterLincheckTests.class);
    }
}
