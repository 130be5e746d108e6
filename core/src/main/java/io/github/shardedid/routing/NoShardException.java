package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;

/** A statement for which no shard is known. It was sent nowhere: there is no default shard. */
public class NoShardException extends ShardedIdException {
    private final boolean ofMethod;

    /**
     * Creates the exception.
     *
     * @param message the statement or the method, and how to name a shard for it
     */
    public NoShardException(String message) {
        this(message, false);
    }

    private NoShardException(String message, boolean ofMethod) {
        super(message);
        this.ofMethod = ofMethod;
    }

    /**
     * Creates the exception for a call of a repository method outside of any scope.
     *
     * @param message the interface and method, why it does not determine a shard, and how to name one
     * @return the exception
     */
    public static NoShardException ofMethod(String message) {
        return new NoShardException(message, true);
    }

    /** Returns whether a repository method was called that does not determine a shard: the message names the method. */
    public boolean isOfMethod() {
        return ofMethod;
    }
}
