package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A database of the cluster lacks one of the functions in schema {@code sharded_id}, or has another body of it. It is not put back silently, because tables may have had ids from what is there now. */
public class MissingFunctionException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the functions, and what to do
     */
    public MissingFunctionException(String message) {
        super(message);
    }
}
