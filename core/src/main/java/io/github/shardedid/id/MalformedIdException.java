package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/** A number or text is no id of the layout, or a field is out of range. */
public class MalformedIdException extends ShardedIdException {
    /**
     * Creates the exception.
     *
     * @param message the value, the layout, and the valid range
     */
    public MalformedIdException(String message) {
        super(message);
    }
}
