package io.github.shardedid.provisioning.nodes;

import io.github.shardedid.ShardedIdException;
import org.jspecify.annotations.Nullable;

/**
 * A change of the number of JVM nodes has begun and is not complete. The cluster continues to generate ids, all of
 * them in the databases once the leases have ended. The same change, run again, continues.
 */
public class JvmNodesChangeUnfinishedException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the database, what it waited for or failed at, and what to do
     * @param cause what the database said, or null if the time was up
     */
    public JvmNodesChangeUnfinishedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
