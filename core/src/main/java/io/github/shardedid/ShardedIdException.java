package io.github.shardedid;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the unchecked exceptions of this project. There is a subclass for each thing that a caller can do. The message names the
 * entity, id, shard and database concerned and says what to do.
 */
public abstract class ShardedIdException extends RuntimeException {
    /**
     * Creates an exception without a cause.
     *
     * @param message what happened and what to do
     */
    protected ShardedIdException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened and what to do
     * @param cause the cause, or null
     */
    protected ShardedIdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns all failures that are reported by this exception.
     *
     * @return this one, the others of this project that are suppressed in it, and those that are suppressed in these
     */
    public final Stream<ShardedIdException> all() {
        return Stream.concat(
                Stream.of(this),
                Stream.of(getSuppressed())
                        .filter(ShardedIdException.class::isInstance)
                        .flatMap(each -> ((ShardedIdException) each).all()));
    }
}
