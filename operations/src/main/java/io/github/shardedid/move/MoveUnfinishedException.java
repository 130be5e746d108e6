package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/**
 * A move has begun and has not ended, because it was stopped or because the copy of the shard differs from the shard. Its journal records the step; {@link ShardMover#resume} continues it, and
 * {@link ShardMover#abort} leaves the shard where it was.
 */
public class MoveUnfinishedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shard, the step or the tables and keys that differ, what stopped it, and what to do
     * @param cause the error of a database, or null if a timeout has passed or the copies differ
     */
    public MoveUnfinishedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
