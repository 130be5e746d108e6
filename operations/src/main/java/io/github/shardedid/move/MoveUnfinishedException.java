package io.github.shardedid.move;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/**
 * A move has begun and not come to its end. The journal says how far it is; {@link ShardMover#resume} goes on from there, and
 * {@link ShardMover#abort} leaves the shard where it was.
 */
public class MoveUnfinishedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the shard, the step, what stopped it, and what to do
     * @param cause what a database said, or null if there was something to wait for too long
     */
    public MoveUnfinishedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
