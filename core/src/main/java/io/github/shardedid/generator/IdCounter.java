package io.github.shardedid.generator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last id of one shard and table that this JVM got from whatever source, as one atomic number, and beside it the lease
 * under which the next one may be made. The number only grows, over changes of the lease and ids from the database.
 *
 * <p>Before a lease is given back its counters are sealed: the sign bit makes every pending compare-and-set fail. The last
 * id is read before the lease. So whoever succeeds has read the lease at a time when the counter was not sealed for it, and
 * unsealing changes the number, so that nobody can mistake it for the one before.
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

    private final ShardLease shard;

    /** The shard's; written by {@link ShardLease} only, and read here since it is a step less on the way to an id. */
    private volatile @Nullable NodeLease lease;

    private volatile long last;

    /**
     * How many ids were made in the timestamps before that of the last one: those in that one its sequence tells. So to count ids
     * costs an id nothing but the first of a timestamp.
     */
    private volatile long settled;

    /** Knows how sequences are divided; null until there was a lease. */
    private volatile @Nullable NodeLease division;

    IdCounter(ShardLease shard) {
        this.shard = shard;
    }

    ShardLease shard() {
        return shard;
    }

    @Nullable
    NodeLease lease() {
        return lease;
    }

    /** The last id, or 0. */
    long last() {
        return last & ~SEAL;
    }

    /** Makes the next id under the shard's lease; {@link NodeLease#NONE} if it has none that allows one. */
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

    /** How many ids were made here. For a moment, while another one is made, perhaps some less. */
    long made() {
        NodeLease known = division;
        return known == null ? 0 : settled + known.ordinal(last());
    }

    /** Raises the last id to one from elsewhere. */
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

    /** From now on ids are made under this lease, which was granted since the counter was sealed, if it was. */
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

    /** No new caller gets an id; one that has read the lease may. */
    void forget() {
        lease = null;
    }

    /** Stops everyone who has read the last id from making another; returns it. */
    long seal() {
        lease = null;
        return (long) LAST.getAndBitwiseOr(this, SEAL) & ~SEAL;
    }
}
