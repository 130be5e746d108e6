package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Threads make ids while the one node is handed to and fro between two JVMs, each time sealed and with a window that begins
 * right behind the last id: the shortest way to an id twice, if a thread could make one under a lease that was given back.
 */
class IdCounterStressTests {
    private static final int THREADS_PER_JVM = 3;
    private static final int IDS_PER_THREAD = 500_000;
    private static final long FOR_EVER = 1L << 39;
    /** Of a lease, so that there are many leases whatever the scheduler does: a node has 16 ids of each timestamp. */
    private static final int TIMESTAMPS = 100;

    private static final int FEWEST_HANDOVERS = 2 * THREADS_PER_JVM * IDS_PER_THREAD / (16 * TIMESTAMPS);

    private static final int LOW_BITS = IdLayout.DEFAULT.shardBits() + IdLayout.DEFAULT.sequenceBits();

    private final IdLayout layout = IdLayout.DEFAULT.withJvmNodes(32);

    @Test
    void noThreadMakesAnIdUnderALeaseThatWasGivenBack() throws Exception {
        ShardLease[] jvms = {new ShardLease(5, 0), new ShardLease(5, 0)};
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<long[]>> makers = new ArrayList<>();
            for (ShardLease jvm : jvms) {
                IdCounter counter = jvm.newCounter();
                for (int i = 0; i < THREADS_PER_JVM; i++) {
                    makers.add(threads.submit(maker(counter)));
                }
            }
            int handovers = handOverUntilDone(jvms, makers);
            LongStream all = LongStream.empty();
            for (Future<long[]> maker : makers) {
                long[] ids = maker.get();
                assertThat(ids).isSorted();
                all = LongStream.concat(all, Arrays.stream(ids));
            }
            assertThat(handovers).isGreaterThanOrEqualTo(FEWEST_HANDOVERS);
            assertThat(repeated(all.sorted().toArray())).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Long> repeated(long[] sorted) {
        List<Long> repeated = new ArrayList<>();
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                repeated.add(sorted[i]);
            }
        }
        return repeated;
    }

    // To yield makes the test faster, not right.
    @SuppressWarnings("ThreadPriorityCheck")
    private static Callable<long[]> maker(IdCounter counter) {
        return () -> {
            long[] ids = new long[IDS_PER_THREAD];
            for (int made = 0; made < ids.length && !Thread.interrupted(); ) {
                long id = counter.advance(0);
                if (id != NodeLease.NONE) {
                    ids[made++] = id;
                } else {
                    // The other JVM has the node: on a busy machine its threads would wait for a processor.
                    Thread.yield();
                }
            }
            return ids;
        };
    }

    private int handOverUntilDone(ShardLease[] jvms, List<Future<long[]>> makers) {
        long start = 1;
        int handovers = 0;
        while (!makers.stream().allMatch(Future::isDone)) {
            ShardLease jvm = jvms[handovers++ % 2];
            LeaseStore.LeaseAnswer window = new LeaseStore.LeaseAnswer(null, 0, start, start + TIMESTAMPS, start);
            jvm.grant(new NodeLease(layout, 5, window, 0, FOR_EVER));
            for (int spin = 0; spin < 500; spin++) {
                Thread.onSpinWait();
            }
            start = Math.max(start, (jvm.seal() >>> LOW_BITS) + 1);
        }
        return handovers;
    }

    @Test
    void idsFromElsewhereRaiseTheCounterAndNeverLowerIt() {
        ShardLease jvm = new ShardLease(5, 0);
        IdCounter counter = jvm.newCounter();

        counter.raise(500);
        counter.raise(300);
        assertThat(counter.last()).isEqualTo(500);
        assertThat(counter.seal()).isEqualTo(500);
        counter.raise(700);
        assertThat(counter.last()).isEqualTo(700);
        assertThat(counter.advance(0)).isEqualTo(NodeLease.NONE);
        jvm.grant(new NodeLease(layout, 5, new LeaseStore.LeaseAnswer(null, 0, 0, FOR_EVER, 0), 0, FOR_EVER));
        assertThat(counter.last()).isEqualTo(layout.encode(1, 0, 0));
        assertThat(counter.advance(0)).isEqualTo(layout.encode(1, 5, 512));
    }
}
