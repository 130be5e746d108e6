package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeLeaseTests {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT.withJvmNodes(32);
    private static final long MILLI = 1_000_000;
    private static final int SHARD = 5;

    private static NodeLease lease(int node, long start, long end, long present) {
        return new NodeLease(LAYOUT, SHARD, new LeaseStore.LeaseAnswer(null, node, start, end, present), 0, 50);
    }

    private static long id(long stamp, int sequence) {
        return LAYOUT.encode(stamp, SHARD, sequence);
    }

    @Test
    void anIdIsThePresentTimeWithTheNodesFirstValue() {
        NodeLease lease = lease(3, 1000, 2000, 1000);

        assertThat(lease.after(0, 7 * MILLI)).isEqualTo(id(1007, 512 + 3 * 16));
        assertThat(lease.after(id(900, 1023), 7 * MILLI)).isEqualTo(id(1007, 560));
    }

    @Test
    void idsOfOneMillisecondCountThroughTheNodesValuesAndThenBorrowTheNext() {
        NodeLease lease = lease(3, 1000, 2000, 1000);

        assertThat(lease.after(id(1007, 560), 7 * MILLI)).isEqualTo(id(1007, 561));
        assertThat(lease.after(id(1007, 575), 7 * MILLI)).isEqualTo(id(1008, 560));
    }

    @Test
    void afterAnIdOfAnotherMakerComesTheNextValueOfTheNodeAboveIt() {
        NodeLease lease = lease(3, 1000, 2000, 1000);

        assertThat(lease.after(id(1007, 12), 7 * MILLI)).isEqualTo(id(1007, 560));
        assertThat(lease.after(id(1007, 900), 7 * MILLI)).isEqualTo(id(1008, 560));
    }

    @Test
    void noIdIsMadeOutsideTheWindow() {
        NodeLease lease = lease(0, 1000, 2000, 900);

        assertThat(lease.after(0, 7 * MILLI)).isEqualTo(id(1000, 512));
        assertThat(lease.after(0, 1099 * MILLI)).isEqualTo(id(1999, 512));
        assertThat(lease.after(0, 1100 * MILLI)).isEqualTo(NodeLease.NONE);
        assertThat(lease.after(id(1999, 527), 1099 * MILLI)).isEqualTo(NodeLease.NONE);
        assertThat(lease.after(0, -5_000_000 * MILLI)).isEqualTo(id(1000, 512));
    }

    @Test
    void idsRunAheadOfTheClockOnlySoFar() {
        NodeLease lease = lease(0, 1000, 2000, 1000);

        assertThat(lease.after(id(1049, 527), 0)).isEqualTo(id(1050, 512));
        assertThat(lease.after(id(1050, 527), 0)).isEqualTo(NodeLease.NONE);
    }

    @Test
    void noWindowReachesPastTheEndOfTheEpoch() {
        long last = LAYOUT.maxTimestamp();
        NodeLease lease = lease(0, last - 1, last + 1000, last - 1);

        assertThat(lease.after(0, MILLI)).isEqualTo(id(last, 512));
        assertThat(lease.after(id(last, 527), MILLI)).isEqualTo(NodeLease.NONE);
        assertThat(lease.after(0, 2 * MILLI)).isEqualTo(NodeLease.NONE);
    }

    @Test
    void theTimeOfALayoutInSecondsIsCountedInSeconds() {
        IdLayout seconds = new IdLayout(Instant.EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 2);
        NodeLease lease = new NodeLease(seconds, 0, new LeaseStore.LeaseAnswer(null, 1, 100, 110, 100), 0, 1);

        assertThat(lease.after(0, 2_500 * MILLI)).isEqualTo((102 << 7) | 24);
        assertThat(lease.hasEnded(9_999 * MILLI)).isFalse();
        assertThat(lease.hasEnded(10_000 * MILLI)).isTrue();
    }
}
