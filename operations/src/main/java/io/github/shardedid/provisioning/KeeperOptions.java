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
        if (poll.compareTo(Duration.ZERO) <= 0 || retry.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException(
                    "The poll interval and the pause before a retry must be more than zero.");
        }
    }
}
