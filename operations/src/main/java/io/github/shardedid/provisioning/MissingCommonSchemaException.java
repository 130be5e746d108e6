package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/** A schema that is to be part of every search path does not exist in a database. Nothing was changed. */
public class MissingCommonSchemaException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, the schema, and what to do
     */
    public MissingCommonSchemaException(String message) {
        super(message);
    }
}
