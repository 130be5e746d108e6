package io.github.shardedid.provisioning;

import java.time.Duration;

/**
 * How a {@link ShardMapKeeper} keeps the shard map fresh. Immutable and safe for use by several threads.
 *
 * @param poll how often the databases are asked although nothing was notified; more than zero
 * @param retry how long after a failure they are asked again, at first; it doubles up to five times that. Also how often while a
 *     database could not be asked. More than zero
 */
public record KeeperOptions(Duration poll, Duration retry) {
    /** Every 30 seconds, and after a second at first. */
    public static final KeeperOptions DEFAULT = new KeeperOptions(Duration.ofSeconds(30), Duration.ofSeconds(1));

    /**
     * Checks the durations.
     *
     * @throws IllegalArgumentException if one is not more than zero
     */
    public KeeperOptions {
        requirePositive("Asking the databases", poll);
        requirePositive("Asking them again", retry);
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(what + " needs time in between, not " + value + ".");
        }
    }

    /**
     * The same options with another rhythm.
     *
     * @param other how often the databases are asked although nothing was notified; more than zero
     * @return options that differ in this only
     * @throws IllegalArgumentException if it is not more than zero
     */
    public KeeperOptions withPoll(Duration other) {
        return new KeeperOptions(other, retry);
    }

    /**
     * The same options with another wait after a failure.
     *
     * @param other how long after a failure the databases are asked again, at first; more than zero
     * @return options that differ in this only
     * @throws IllegalArgumentException if it is not more than zero
     */
    public KeeperOptions withRetry(Duration other) {
        return new KeeperOptions(poll, other);
    }
}
