package io.github.shardedid.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a JVM has of one shard: the lease of a node, if any, and the counters of the tables used so far. */
class ShardLease {
    private final int shard;

    /**
     * Held, for moments, by whoever changes the lease or adds a counter: so all counters have the shard's lease. Nobody who
     * makes an id waits for it.
     */
    private final ReentrantLock changing = new ReentrantLock();

    private final List<IdCounter> counters = new ArrayList<>(2);

    /** Taken by the one background task that may be under way for the shard. */
    private final AtomicBoolean busy = new AtomicBoolean();

    private volatile @Nullable NodeLease lease;
    private volatile FallbackReason reason = FallbackReason.NO_LEASE_YET;
    private volatile long retryAt;
    private long sumAtGrant;

    ShardLease(int shard, long now) {
        this.shard = shard;
        this.retryAt = now;
    }

    int shard() {
        return shard;
    }

    @Nullable
    NodeLease lease() {
        return lease;
    }

    /** Why there is no lease. */
    FallbackReason reason() {
        return reason;
    }

    AtomicBoolean busy() {
        return busy;
    }

    /** Whether it is time to ask for a lease (again). */
    boolean isDue(long nanos) {
        NodeLease held = lease;
        return (held == null || held.hasEnded(nanos)) && nanos - retryAt >= 0;
    }

    /** A new counter; the caller publishes it afterwards, so that a seal can miss none that is used. */
    IdCounter newCounter() {
        return add(new IdCounter(this));
    }

    IdCounter add(IdCounter counter) {
        changing.lock();
        try {
            counters.add(counter);
            NodeLease held = lease;
            if (held != null) {
                counter.use(held);
            }
        } finally {
            changing.unlock();
        }
        return counter;
    }

    void grant(NodeLease granted) {
        changing.lock();
        try {
            lease = granted;
            reason = FallbackReason.NO_LEASE_YET;
            counters.forEach(counter -> counter.use(granted));
            sumAtGrant = sumOfIds();
        } finally {
            changing.unlock();
        }
    }

    void refuse(FallbackReason why, long nextTry) {
        reason = why;
        retryAt = nextTry;
    }

    void forget() {
        changing.lock();
        try {
            lease = null;
            counters.forEach(IdCounter::forget);
        } finally {
            changing.unlock();
        }
    }

    /** Whether an id was made since the lease was granted or renewed. */
    boolean isUsed() {
        changing.lock();
        try {
            return sumOfIds() != sumAtGrant;
        } finally {
            changing.unlock();
        }
    }

    private long sumOfIds() {
        return counters.stream().mapToLong(IdCounter::last).sum();
    }

    /** How many ids were made under leases of the shard. */
    long made() {
        changing.lock();
        try {
            return counters.stream().mapToLong(IdCounter::made).sum();
        } finally {
            changing.unlock();
        }
    }

    /** How far the newest id is ahead of the clock, in the layout's unit; 0 if it is not, or there is no lease. */
    long ahead(long nanos) {
        changing.lock();
        try {
            NodeLease held = lease;
            return held == null || held.hasEnded(nanos)
                    ? 0
                    : held.ahead(
                            counters.stream().mapToLong(IdCounter::last).max().orElse(0), nanos);
        } finally {
            changing.unlock();
        }
    }

    /**
     * Takes the lease away and seals the counters: no id will be made under it any more.
     *
     * @return the largest id of all tables
     */
    long seal() {
        changing.lock();
        try {
            lease = null;
            return counters.stream().mapToLong(IdCounter::seal).max().orElse(0);
        } finally {
            changing.unlock();
        }
    }
}
