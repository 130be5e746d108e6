package io.github.shardedid.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A shard's lease of a node, if any, and the counters of its tables that were used so far. Safe for use by several threads: it is
 * locked briefly to change the lease or add a counter, so that all counters have the shard's lease. Generating an id needs no lock.
 */
class ShardLease {
    final int shard;

    private final List<IdCounter> counters = new ArrayList<>(2);

    /** Whether a background task for the shard is running: one at a time. */
    final AtomicBoolean busy = new AtomicBoolean();

    private volatile @Nullable NodeLease lease;
    private volatile FallbackReason reason = FallbackReason.NO_LEASE_YET;
    private volatile long retryAt;
    private long sumAtGrant;

    ShardLease(int shard, long now) {
        this.shard = shard;
        this.retryAt = now;
    }

    @Nullable
    NodeLease lease() {
        return lease;
    }

    /** Returns why there is no lease. */
    FallbackReason reason() {
        return reason;
    }

    /** Returns whether a lease is missing and may be requested now. */
    boolean isDue(long nanos) {
        NodeLease held = lease;
        return (held == null || held.hasEnded(nanos)) && nanos - retryAt >= 0;
    }

    /** Creates a counter. The caller publishes it afterwards, so a seal reaches every counter in use. */
    IdCounter newCounter() {
        return add(new IdCounter());
    }

    synchronized IdCounter add(IdCounter counter) {
        counters.add(counter);
        NodeLease held = lease;
        if (held != null) {
            counter.use(held);
        }
        return counter;
    }

    synchronized void grant(NodeLease granted) {
        lease = granted;
        reason = FallbackReason.NO_LEASE_YET;
        counters.forEach(counter -> counter.use(granted));
        sumAtGrant = sumOfIds();
    }

    void refuse(FallbackReason why, long nextTry) {
        reason = why;
        retryAt = nextTry;
    }

    synchronized void forget() {
        lease = null;
        counters.forEach(IdCounter::forget);
    }

    /** Returns whether an id was generated since the lease was granted or renewed. */
    synchronized boolean isUsed() {
        return sumOfIds() != sumAtGrant;
    }

    private long sumOfIds() {
        return counters.stream().mapToLong(IdCounter::last).sum();
    }

    /**
     * Removes the lease and seals the counters: no id is generated under it any more.
     *
     * @return the largest id of all tables
     */
    synchronized long seal() {
        lease = null;
        return counters.stream().mapToLong(IdCounter::seal).max().orElse(0);
    }
}
