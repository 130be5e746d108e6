package io.github.shardedid.provisioning;

import java.time.Duration;

/**
 * How a {@link ShardMapKeeper} refreshes the shard map. Immutable and safe for use by several threads.
 *
 * @param poll how often the databases are asked without a notification; more than zero
 * @param retry the pause after a failure, and while a database cannot be asked; it doubles up to five times this
 *     value. More than zero
 */
public record KeeperOptions(Duration poll, Duration retry) {
    /** Polls every 30 seconds, and retries after a second. */
    public static final KeeperOptions DEFAULT = new KeeperOptions(Duration.ofSeconds(30), Duration.ofSeconds(1));

    /**
     * Checks the durations.
     *
     * @throws IllegalArgumentException if one is not more than zero
     */
    public KeeperOptions {
        requirePositive("The poll interval", poll);
        requirePositive("The pause before a retry", retry);
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(what + " must be more than zero, not " + value + ".");
        }
    }

    /**
     * Returns the same options with another poll interval.
     *
     * @param other how often the databases are asked without a notification; more than zero
     * @return options that differ in this only
     * @throws IllegalArgumentException if it is not more than zero
     */
    public KeeperOptions withPoll(Duration other) {
        return new KeeperOptions(other, retry);
    }

    /**
     * Returns the same options with another pause after a failure.
     *
     * @param other the pause after the first failure; more than zero
     * @return options that differ in this only
     * @throws IllegalArgumentException if it is not more than zero
     */
    public KeeperOptions withRetry(Duration other) {
        return new KeeperOptions(poll, other);
    }
}
