package io.github.shardedid.generator;

import java.time.Duration;

/**
 * How a {@link JvmIdSource} leases nodes.
 *
 * @param lease how long a lease lasts unless it is renewed, which is tried from half of it on; 10 milliseconds to
 *     {@link #LONGEST_LEASE}. It is also how long a node stays unused after a JVM was killed
 * @param ahead how far the ids of a shard and table may run ahead of the clock in a burst before the database is asked
 *     instead; 0 to {@link #LONGEST_LEASE}
 * @param listener is told what becomes of the leases
 */
public record JvmIdOptions(Duration lease, Duration ahead, LeaseListener listener) {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

    /** No lease lasts longer, and for as long a database grants none after it was promoted or restored: 5 minutes. */
    public static final Duration LONGEST_LEASE = Duration.ofMinutes(5);

    /** The longest lease, one second ahead of the clock, no listener. */
    public static final JvmIdOptions DEFAULT =
            new JvmIdOptions(LONGEST_LEASE, Duration.ofSeconds(1), new LeaseListener() {});

    /**
     * Checks the durations.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public JvmIdOptions {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "A lease of a JVM node lasts " + SHORTEST_LEASE + " to " + LONGEST_LEASE + ", not " + lease + ".");
        }
        if (ahead.isNegative() || ahead.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "Ids may run ahead of the clock by 0 to " + LONGEST_LEASE + ", not by " + ahead + ".");
        }
    }

    /**
     * The same options with leases of another length.
     *
     * @param other 10 milliseconds to {@link #LONGEST_LEASE}
     * @return options that differ in the lease only
     */
    public JvmIdOptions withLease(Duration other) {
        return new JvmIdOptions(other, ahead, listener);
    }

    /**
     * The same options with another bound on bursts.
     *
     * @param other how far ids may run ahead of the clock, 0 to {@link #LONGEST_LEASE}
     * @return options that differ in that only
     */
    public JvmIdOptions withAhead(Duration other) {
        return new JvmIdOptions(lease, other, listener);
    }

    /**
     * The same options with another listener.
     *
     * @param other is told what becomes of the leases
     * @return options that differ in the listener only
     */
    public JvmIdOptions withListener(LeaseListener other) {
        return new JvmIdOptions(lease, ahead, other);
    }
}
