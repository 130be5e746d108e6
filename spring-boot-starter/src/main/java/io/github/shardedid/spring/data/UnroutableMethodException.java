package io.github.shardedid.spring.data;

import io.github.shardedid.routing.NoShardException;

/** Thrown when a call of a repository method outside of any scope does not determine a shard. Nothing was sent. */
public class UnroutableMethodException extends NoShardException {
    /**
     * Creates the exception.
     *
     * @param message the interface and method, why it does not determine a shard, and how to name one
     */
    public UnroutableMethodException(String message) {
        super(message);
    }
}
