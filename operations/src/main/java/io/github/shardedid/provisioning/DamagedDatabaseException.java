package io.github.shardedid.provisioning;

import io.github.shardedid.ShardedIdException;

/**
 * Something that was provisioned is missing or altered: a function of schema {@code sharded_id}, the schema of a shard that the
 * database owns, or that of the global entities. It is not re-created: tables may have ids from the function that is there now, and an
 * empty schema would hide the loss of its rows. Nothing was changed.
 */
public class DamagedDatabaseException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, what is missing or altered, and what to do
     */
    public DamagedDatabaseException(String message) {
        super(message);
    }
}
