package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;

/**
 * A lease of a node of one shard: which values of the sequence field the JVM may use, and in which timestamps. Immutable.
 *
 * <p>The time is the database's time at the grant plus the elapsed {@link System#nanoTime()}. It only determines the timestamp of an id:
 * no id is generated outside the window, whatever the clocks say.
 */
final class NodeLease {
    static final long NONE = -1;

    private final LeaseStore.LeaseAnswer granted;
    private final long windowEnd;
    private final long anchor;
    private final long ahead;
    private final boolean millis;
    private final int lowBits;
    private final long first;
    private final int sequences;

    /**
     * Creates the lease that a database has granted.
     *
     * @param shard the shard of the ids
     * @param granted the database's answer
     * @param anchor {@code nanoTime} of the answer
     * @param ahead how many steps ids may run ahead of the clock
     */
    NodeLease(IdLayout layout, int shard, LeaseStore.LeaseAnswer granted, long anchor, long ahead) {
        this.granted = granted;
        this.windowEnd = Math.min(granted.windowEnd(), layout.maxTimestamp() + 1);
        this.anchor = anchor;
        this.ahead = ahead;
        this.millis = layout.unit() == TimestampUnit.MILLISECONDS;
        this.lowBits = layout.shardBits() + layout.sequenceBits();
        this.first = ((long) shard << layout.sequenceBits())
                | (layout.databaseSequences() + granted.node() * layout.sequencesPerNode());
        this.sequences = layout.sequencesPerNode();
    }

    int node() {
        return granted.node();
    }

    /** The time at an instant of {@code nanoTime}, in the layout's unit; never before the window. */
    long now(long nanos) {
        long elapsed = (nanos - anchor) / 1_000_000;
        return Math.max(granted.windowStart(), granted.present() + (millis ? elapsed : elapsed / 1000));
    }

    boolean hasEnded(long nanos) {
        return now(nanos) >= windowEnd;
    }

    /** A number below the first id of the timestamp after that of an id. */
    long startOfNextTimestamp(long id) {
        return ((id >>> lowBits) + 1) << lowBits;
    }

    /**
     * The id that follows another one of the same shard and table, or {@link #NONE} if it would be past the window or too far ahead
     * of the clock. The other id may come from any source, or be the start of a timestamp.
     */
    long after(long id, long nanos) {
        long now = now(nanos);
        if (now >= windowEnd) {
            return NONE;
        }
        long stamp = id >>> lowBits;
        long next = Math.max(stamp, now) << lowBits | first;
        if (next <= id) {
            next = id - next < sequences - 1 ? id + 1 : (stamp + 1) << lowBits | first;
        }
        long made = next >>> lowBits;
        return made < windowEnd && made <= now + ahead ? next : NONE;
    }
}
