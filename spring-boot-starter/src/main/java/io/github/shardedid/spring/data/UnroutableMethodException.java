package io.github.shardedid.spring.data;

import io.github.shardedid.routing.NoShardException;

/** A call of a repository's method from which no single shard can be told, outside any scope. Nothing was sent. */
public class UnroutableMethodException extends NoShardException {
    /**
     * Creates the exception.
     *
     * @param message the interface and method, why no shard can be told, and the ways to name one
     */
    public UnroutableMethodException(String message) {
        super(message);
    }
}
