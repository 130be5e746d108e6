package io.github.shardedid.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Stops a thread of JVM A, while it makes an id, between reading the last id and the lease, and between reading the lease and
 * the compare-and-set, and lets every sequence of a few steps of others happen there: A's lease being given back (in its two
 * steps) and granted again, A's other threads, and JVM B with the same node. Runs the code itself, not a model of it.
 */
class IdCounterInterleavingTests {
    private static final int STEPS = 7;
    private static final long MILLI = 1_000_000;
    private static final char NOBODY = '-';
    private static final char IMPOSSIBLE = 'x';
    private static final int LOW_BITS = IdLayout.DEFAULT.shardBits() + IdLayout.DEFAULT.sequenceBits();

    private enum Step {
        A_LOSES_SIGHT_OF_ITS_LEASE,
        A_SEALS_AND_GIVES_BACK,
        A_IS_GRANTED,
        A_MAKES_AN_ID,
        B_SEALS_AND_GIVES_BACK,
        B_IS_GRANTED,
        B_MAKES_AN_ID
    }

    /** Runs a list of steps when its lease is read for the first time. */
    private static final class InterruptedCounter extends IdCounter {
        private @Nullable Runnable before;
        private @Nullable Runnable after;

        @Override
        @Nullable
        NodeLease lease() {
            Runnable first = before;
            before = null;
            if (first != null) {
                first.run();
            }
            NodeLease lease = super.lease();
            Runnable second = after;
            after = null;
            if (second != null) {
                second.run();
            }
            return lease;
        }
    }

    private static final class World {
        private final ShardLease a = new ShardLease(5, 0);
        private final ShardLease b = new ShardLease(5, 0);
        private final InterruptedCounter counterOfA = new InterruptedCounter();
        private final IdCounter counterOfB = b.newCounter();
        private final List<Long> made = new ArrayList<>();
        private long free = 1;

        World() {
            a.add(counterOfA);
        }

        void take(Step[] steps, int from, int to) {
            for (int i = from; i < to; i++) {
                take(steps[i]);
            }
        }

        void take(Step step) {
            switch (step) {
                case A_LOSES_SIGHT_OF_ITS_LEASE -> a.forget();
                case A_SEALS_AND_GIVES_BACK -> giveBack(a);
                case A_IS_GRANTED -> grant(a);
                case A_MAKES_AN_ID -> make(counterOfA, 0);
                case B_SEALS_AND_GIVES_BACK -> giveBack(b);
                case B_IS_GRANTED -> grant(b);
                case B_MAKES_AN_ID -> make(counterOfB, 2 * MILLI);
            }
        }

        private void giveBack(ShardLease jvm) {
            free = Math.max(free, (jvm.seal() >>> LOW_BITS) + 1);
        }

        private void grant(ShardLease jvm) {
            jvm.grant(new NodeLease(
                    IdLayout.DEFAULT, 5, new LeaseStore.LeaseAnswer(null, 0, free, free + 9, free), 0, 9));
        }

        void make(IdCounter counter, long nanos) {
            long id = counter.advance(nanos);
            if (id != NodeLease.NONE) {
                made.add(id);
            }
        }
    }

    @Test
    void noStepOfOthersMakesAThreadRepeatAnId() {
        int worlds = 0;
        for (int length = 0; length <= STEPS; length++) {
            worlds += explore(new Step[length], 0, 'A');
        }
        assertThat(worlds).as("interleavings").isGreaterThan(100_000);
    }

    private static int explore(Step[] steps, int chosen, char holder) {
        int worlds = 0;
        if (chosen == steps.length) {
            for (int first = 0; first <= steps.length; first++) {
                run(steps, first);
                worlds++;
            }
            return worlds;
        }
        for (Step step : Step.values()) {
            char next = holderAfter(step, holder);
            if (next != IMPOSSIBLE) {
                steps[chosen] = step;
                worlds += explore(steps, chosen + 1, next);
            }
        }
        return worlds;
    }

    private static char holderAfter(Step step, char holder) {
        return switch (step) {
            case A_LOSES_SIGHT_OF_ITS_LEASE -> holder == 'A' ? 'A' : IMPOSSIBLE;
            case A_SEALS_AND_GIVES_BACK -> holder == 'A' ? NOBODY : IMPOSSIBLE;
            case B_SEALS_AND_GIVES_BACK -> holder == 'B' ? NOBODY : IMPOSSIBLE;
            case A_IS_GRANTED -> holder == NOBODY ? 'A' : IMPOSSIBLE;
            case B_IS_GRANTED -> holder == NOBODY ? 'B' : IMPOSSIBLE;
            case A_MAKES_AN_ID, B_MAKES_AN_ID -> holder;
        };
    }

    /** The first steps happen before the lease is read, the others after it. */
    private static void run(Step[] steps, int first) {
        World world = new World();
        world.grant(world.a);
        world.take(Step.A_MAKES_AN_ID);
        world.counterOfA.before = () -> world.take(steps, 0, first);
        world.counterOfA.after = () -> world.take(steps, first, steps.length);
        world.make(world.counterOfA, 3 * MILLI);
        world.take(Step.B_MAKES_AN_ID);
        world.take(Step.A_MAKES_AN_ID);
        if (new HashSet<>(world.made).size() != world.made.size()) {
            throw new AssertionError(
                    world.made + " after " + List.of(steps) + ", " + first + " before the lease is read");
        }
    }
}
