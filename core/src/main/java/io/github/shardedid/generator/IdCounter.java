package io.github.shardedid.generator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last id of one shard and table, as one atomic number, and the lease under which the next id may be generated. The number
 * only grows, whatever the source of the ids and across changes of the lease. Safe for use by several threads.
 *
 * <p>Before a lease is released, its counters are sealed: the sign bit makes every pending compare-and-set fail. The last id is read
 * before the lease. So a thread that succeeds has read the lease while the counter was not sealed; and unsealing changes the
 * number, so that a thread that has read it earlier fails.
 */
class IdCounter {
    private static final VarHandle LAST;
    private static final long SEAL = Long.MIN_VALUE;

    static {
        try {
            LAST = MethodHandles.lookup().findVarHandle(IdCounter.class, "last", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The shard's lease, kept here as well because it is read for each id. Written under the shard's lock only. */
    private volatile @Nullable NodeLease lease;

    private volatile long last;

    @Nullable
    NodeLease lease() {
        return lease;
    }

    /** The last id, or 0. */
    long last() {
        return last & ~SEAL;
    }

    /** Generates the next id under the shard's lease; {@link NodeLease#NONE} if no lease allows one. */
    long advance(long nanos) {
        while (true) {
            long seen = last;
            NodeLease held = lease();
            if (held == null || seen < 0) {
                return NodeLease.NONE;
            }
            long made = held.after(seen, nanos);
            if (made == NodeLease.NONE) {
                return made;
            }
            if (LAST.compareAndSet(this, seen, made)) {
                return made;
            }
        }
    }

    /** Raises the last id to one that the database generated. */
    void raise(long other) {
        long seen = last;
        while ((seen & ~SEAL) < other) {
            if (LAST.compareAndSet(this, seen, other | (seen & SEAL))) {
                return;
            }
            seen = last;
        }
    }

    /** Generates ids under this lease from now on, and unseals the counter. */
    void use(NodeLease granted) {
        lease = granted;
        for (long seen = last; seen < 0; seen = last) {
            LAST.compareAndSet(this, seen, granted.startOfNextTimestamp(seen & ~SEAL));
        }
    }

    /** Stops new callers; a thread that has already read the lease may still generate an id. */
    void forget() {
        lease = null;
    }

    /** Stops all threads, also those that have already read the last id; returns the last id. */
    long seal() {
        lease = null;
        return (long) LAST.getAndBitwiseOr(this, SEAL) & ~SEAL;
    }
}
