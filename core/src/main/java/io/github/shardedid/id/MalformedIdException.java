package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/** A number or text is no id of the layout, or a field does not fit into it. */
public class MalformedIdException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the value, the layout, and the range that would have fitted
     */
    public MalformedIdException(String message) {
        super(message);
    }
}
