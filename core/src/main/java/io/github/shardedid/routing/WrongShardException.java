package io.github.shardedid.routing;

import io.github.shardedid.ShardedIdException;
import java.sql.SQLException;

/**
 * A row, its id, its shard key or a row that it refers to is in another shard than the one that is written or read. Nothing of the row was
 * sent, or PostgreSQL has refused it by a constraint: roll back the transaction. A retry fails as well. Correct the id, the shard key or the
 * association, open the scope of the right shard, or use a session for each shard, as the message says.
 */
public class WrongShardException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the entity, attribute or column, the ids, the two shards, and what to do
     */
    public WrongShardException(String message) {
        super(message);
    }

    /**
     * Creates the exception for a refusal of PostgreSQL.
     *
     * @param message the table, the row, the shard, and what to do
     * @param refusal as the driver has thrown it
     */
    public WrongShardException(String message, SQLException refusal) {
        super(message, refusal);
    }
}
