package io.github.shardedid.generator;

import java.time.Duration;

/**
 * How a {@link JvmIdSource} leases nodes.
 *
 * @param lease the duration of a lease, which is renewed after half of it; 10 milliseconds to {@link #LONGEST_LEASE}. A node stays
 *     unused for so long after a JVM was killed
 * @param ahead how far the ids of a shard and table may run ahead of the clock in a burst before the database generates them; 0 to
 *     {@link #LONGEST_LEASE}
 * @param listener is notified of leases; never null
 */
public record JvmIdOptions(Duration lease, Duration ahead, LeaseListener listener) {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

    /** The longest lease, 5 minutes. For so long, a database grants no lease after it was promoted or restored. */
    public static final Duration LONGEST_LEASE = Duration.ofMinutes(5);

    /** The longest lease, at most one second ahead of the clock, no listener. */
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
     * The same options with leases of another duration.
     *
     * @param other 10 milliseconds to {@link #LONGEST_LEASE}
     * @return options that differ in the lease only
     */
    public JvmIdOptions withLease(Duration other) {
        return new JvmIdOptions(other, ahead, listener);
    }

    /**
     * The same options with another limit for bursts.
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
     * @param other is notified of leases; never null
     * @return options that differ in the listener only
     */
    public JvmIdOptions withListener(LeaseListener other) {
        return new JvmIdOptions(lease, ahead, other);
    }
}
