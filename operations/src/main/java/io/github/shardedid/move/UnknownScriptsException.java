package io.github.shardedid.move;

/**
 * A move was not begun or continued by this process, because the shard has scripts that are not known here: the target's schema would
 * lack what they have made. An instance of the application that knows them can. Nothing was changed.
 */
public class UnknownScriptsException extends DeferredMoveException {
    /**
     * Creates the exception.
     *
     * @param message the shard, the database, and the scripts
     */
    public UnknownScriptsException(String message) {
        super(message);
    }
}
