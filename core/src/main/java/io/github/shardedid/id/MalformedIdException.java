package io.github.shardedid.id;

import io.github.shardedid.ShardedIdException;

/**
 * A number or text is no id of the layout, or a field or an instant is out of its range. A retry fails as well: find out where the value comes
 * from. A client that has sent it should get status 400.
 */
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
