package io.github.shardedid.pool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The idle connections of a pool's parts, and the callers that wait for one. A caller prefers one part. While others have idle
 * connections it waits for its own a few times as long as connections are typically in use, then takes one of another. While all are in
 * use, a connection that is given back goes to the first caller that prefers its part, unless another one has waited much longer. Safe
 * for use by several threads.
 */
final class PartQueue {
    /**
     * In multiples of the time that a connection is typically in use. A connection of another part would have to read the shard's
     * tables first, and keep them: waiting is cheaper, as long as the part is not in use by a long transaction.
     */
    private static final int TYPICAL_USES = 20;
    /** In multiples of that wait. A caller that has waited for longer precedes those that prefer the part. */
    private static final int LATE = 10;

    private static final long LEAST_NANOS = Duration.ofMillis(2).toNanos();
    private static final long MOST_NANOS = Duration.ofMillis(10).toNanos();
    /** Until something has been measured. */
    private static final long TYPICAL_NANOS = 250_000;

    private static final int SMOOTHING = 16;

    static final int NONE = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final int[] idle;
    /** Of each part the preference of its latest caller. */
    private final int[] latest;

    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final long longestWait;
    /** An estimate of the median. A mean would follow single long transactions. */
    private long typicalNanos;

    PartQueue(int[] connections) {
        this(connections, TYPICAL_NANOS, MOST_NANOS);
    }

    PartQueue(int[] connections, long typicalNanos, long longestWait) {
        this.typicalNanos = typicalNanos;
        this.longestWait = longestWait;
        idle = connections.clone();
        latest = new int[idle.length];
        Arrays.fill(latest, NONE);
    }

    /** A caller that waits. All access under the lock. */
    private static final class Waiter {
        private final int preference;
        private final Condition granted;
        private final long since = System.nanoTime();
        private int part = NONE;
        private boolean takesAny;

        Waiter(int preference, Condition granted) {
            this.preference = preference;
            this.granted = granted;
        }

        /** Returns the remaining nanoseconds. */
        long await(long nanos) throws InterruptedException {
            long left = nanos;
            while (part == NONE && left > 0) {
                left = granted.awaitNanos(left);
            }
            return left;
        }
    }

    /** The parts in the order in which a caller takes them. The first ones of successive preferences are successive. */
    private int choice(int preference, int number) {
        int parts = idle.length;
        int first = preference % parts;
        return number == 0 ? first : (first + 1 + (preference / parts + number - 1) % (parts - 1)) % parts;
    }

    /** Returns how many callers wait. */
    int waiting() {
        lock.lock();
        try {
            return waiters.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a connection.
     *
     * @param preference 0 or more. Equal ones are of one shard: if it uses its part already, it may use the others as well
     * @param anyPart whether it does not wait for a part while others are idle
     * @param nanos how long it waits at most
     * @return its part, or {@link #NONE} if all were in use for as long
     */
    int take(int preference, boolean anyPart, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            int first = choice(preference, 0);
            boolean any = anyPart || (idle[first] == 0 && latest[first] == preference);
            int part = takeIdle(preference, any ? idle.length : 1);
            if (part == NONE) {
                part = await(preference, any, nanos);
            }
            if (part != NONE) {
                latest[part] = preference;
            }
            return part;
        } finally {
            lock.unlock();
        }
    }

    private int takeIdle(int preference, int choices) {
        for (int i = 0; i < choices; i++) {
            int part = choice(preference, i);
            if (idle[part] > 0) {
                idle[part]--;
                return part;
            }
        }
        return NONE;
    }

    private int await(int preference, boolean any, long nanos) throws InterruptedException {
        Waiter waiter = new Waiter(preference, lock.newCondition());
        waiter.takesAny = any;
        waiters.add(waiter);
        try {
            long first = any ? 0 : Math.min(nanos, waitForPart());
            long left = nanos - first + waiter.await(first);
            if (waiter.part == NONE) {
                waiter.takesAny = true;
                waiter.part = takeIdle(preference, idle.length);
                waiter.await(left);
            }
            return waiter.part;
        } catch (InterruptedException e) {
            if (waiter.part != NONE) {
                release(waiter.part);
            }
            throw e;
        } finally {
            waiters.remove(waiter);
        }
    }

    private long waitForPart() {
        return Math.max(LEAST_NANOS, Math.min(longestWait, TYPICAL_USES * typicalNanos));
    }

    /** Gives a connection back that was in use for so long. */
    void giveBack(int part, long nanos) {
        lock.lock();
        try {
            typicalNanos += (nanos > typicalNanos ? 1 : -1) * Math.max(1, typicalNanos / SMOOTHING);
            release(part);
        } finally {
            lock.unlock();
        }
    }

    private void release(int part) {
        Waiter next = next(part);
        if (next == null) {
            idle[part]++;
        } else {
            next.part = part;
            next.granted.signal();
        }
    }

    private @Nullable Waiter next(int part) {
        long late = System.nanoTime() - LATE * waitForPart();
        Waiter any = null;
        for (Waiter waiter : waiters) {
            if (waiter.part != NONE) {
                continue;
            }
            if (choice(waiter.preference, 0) == part || (waiter.takesAny && waiter.since - late < 0)) {
                return waiter;
            }
            if (any == null && waiter.takesAny) {
                any = waiter;
            }
        }
        return any;
    }
}
