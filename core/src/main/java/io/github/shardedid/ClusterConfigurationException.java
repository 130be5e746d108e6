package io.github.shardedid;

import org.jspecify.annotations.Nullable;

/**
 * The cluster cannot work as it is configured: a setting is missing or invalid, or contradicts what the databases or the clock say. Most are
 * thrown at startup. Nothing was changed. A retry fails until the configuration, the database or the clock is corrected as the message says.
 */
public class ClusterConfigurationException extends ShardedIdException {
    private final Reason reason;

    /** What has to be corrected. */
    public enum Reason {
        /** A property is missing, unknown or invalid, or a bean does not lead to the shards. */
        SETTING,
        /** The ranges of shards are malformed, overlap, leave shards out, or name shards that do not exist. */
        SHARD_RANGES,
        /** A shard has two owners or none, or is not part of the cluster. */
        SHARD_OWNERSHIP,
        /** What is configured as a replica of a database is none: another cluster's, another database's, or no hot standby at all. */
        REPLICA,
        /** The epoch of the layout is in the future, so an id generated now would have a negative timestamp. */
        FUTURE_EPOCH,
        /** The time that the layout can represent is over: later ids would be negative, and out of order. */
        EXHAUSTED_EPOCH,
        /** A persistence unit has entities with {@code @ShardedId}, but its data source does not lead to the sharded databases. */
        PERSISTENCE_UNIT;

        /**
         * Creates the exception.
         *
         * @param message the shards, database, layout or unit, what is wrong, and what to do
         * @return the exception
         */
        public ClusterConfigurationException of(String message) {
            return new ClusterConfigurationException(this, message, null);
        }
    }

    /**
     * Creates the exception for a setting.
     *
     * @param message the setting by its full name, what is wrong with it, and what to write instead
     */
    public ClusterConfigurationException(String message) {
        this(Reason.SETTING, message, null);
    }

    /**
     * Creates the exception for a setting, with a cause.
     *
     * @param message the setting by its full name, what is wrong with it, and what to write instead
     * @param cause the failure to convert or validate it, or null
     */
    public ClusterConfigurationException(String message, @Nullable Throwable cause) {
        this(Reason.SETTING, message, cause);
    }

    /**
     * Creates the exception with a cause.
     *
     * @param reason what has to be corrected
     * @param message the shards, database, layout or unit, what is wrong, and what to do
     * @param cause the cause, or null
     */
    public ClusterConfigurationException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns what has to be corrected. */
    public Reason reason() {
        return reason;
    }
}
