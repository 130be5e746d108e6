package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/**
 * No shard is known for a statement, a row or a call of a repository method: nothing names one, or the value that should is null, not set yet
 * or of an unsuitable type. Nothing was sent: there is no default shard. A retry fails as well. Set the shard key, pass an id or a value of the
 * shard key, or use {@link ShardContext#run(int, Runnable)}.
 */
public class NoShardException extends ShardedIdException {
    private final boolean ofValue;

    /**
     * Creates the exception for a statement.
     *
     * @param message the statement, and how to name a shard for it
     */
    public NoShardException(String message) {
        this(message, false);
    }

    private NoShardException(String message, boolean ofValue) {
        super(message);
        this.ofValue = ofValue;
    }

    /**
     * Creates the exception for a value, or for a call of a repository method outside of any scope.
     *
     * @param message the entity and attribute or the interface and method, why it does not determine a shard, and what to do
     * @return the exception
     */
    public static NoShardException ofValue(String message) {
        return new NoShardException(message, true);
    }

    /** Returns whether the message names the value or the repository method that does not determine a shard. */
    public boolean isOfValue() {
        return ofValue;
    }
}
