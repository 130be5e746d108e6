package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;
import java.sql.SQLException;

/**
 * A statement was to write an id of another shard than the one it goes to, and PostgreSQL has refused it by a constraint; or a column
 * default has generated such an id. Roll back the transaction.
 */
public class MisplacedIdException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the column, the id, the two shards, and what to do
     */
    public MisplacedIdException(String message) {
        super(message);
    }

    /**
     * Creates the exception for a refusal of PostgreSQL.
     *
     * @param message the table, the row, the shard, and what to do
     * @param refusal as the driver has thrown it
     */
    public MisplacedIdException(String message, SQLException refusal) {
        super(message, refusal);
    }
}
