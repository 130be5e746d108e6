package io.github.shardedid.boot.replaced;

import io.github.shardedid.ShardedIdException;

/** A test has replaced the sharded data source by an embedded database, which has no shards. */
public class ReplacedDataSourceException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the bean, and what to add to the test
     */
    public ReplacedDataSourceException(String message) {
        super(message);
    }
}
