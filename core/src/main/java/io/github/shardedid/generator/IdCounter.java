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
    private static final VarHandle SETTLED;
    private static final long SEAL = Long.MIN_VALUE;

    static {
        try {
            LAST = MethodHandles.lookup().findVarHandle(IdCounter.class, "last", long.class);
            SETTLED = MethodHandles.lookup().findVarHandle(IdCounter.class, "settled", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The shard's lease, kept here as well because it is read for each id. Written under the shard's lock only. */
    private volatile @Nullable NodeLease lease;

    private volatile long last;

    /**
     * How many ids were generated in timestamps before that of the last id. The sequence of the last id contains the number in its
     * own timestamp, so counting costs something only for the first id of a timestamp.
     */
    private volatile long settled;

    /** Any lease, for how sequences are divided among nodes; null before the first lease. */
    private volatile @Nullable NodeLease division;

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
                if (held.isOther(made, seen)) {
                    settle(held.ordinal(seen));
                }
                return made;
            }
        }
    }

    private void settle(long made) {
        if (made != 0) {
            SETTLED.getAndAdd(this, made);
        }
    }

    /** Returns how many ids were generated here. Briefly too low while another thread generates one. */
    long made() {
        NodeLease known = division;
        return known == null ? 0 : settled + known.ordinal(last());
    }

    /** Raises the last id to one that the database generated. */
    void raise(long other) {
        long seen = last;
        while ((seen & ~SEAL) < other) {
            if (LAST.compareAndSet(this, seen, other | (seen & SEAL))) {
                NodeLease known = division;
                settle(known == null ? 0 : known.ordinal(seen & ~SEAL) - known.ordinal(other));
                return;
            }
            seen = last;
        }
    }

    /** Generates ids under this lease from now on, and unseals the counter. */
    void use(NodeLease granted) {
        if (division == null) {
            settle(-granted.ordinal(last()));
            division = granted;
        }
        lease = granted;
        long seen = last;
        while (seen < 0) {
            if (LAST.compareAndSet(this, seen, granted.startOfNextTimestamp(seen & ~SEAL))) {
                settle(granted.ordinal(seen & ~SEAL));
            }
            seen = last;
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
