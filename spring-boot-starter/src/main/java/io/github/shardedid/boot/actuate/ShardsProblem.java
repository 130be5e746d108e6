package io.github.shardedid.boot.actuate;

import org.jspecify.annotations.Nullable;

/** Thrown when the endpoint cannot process a request. The message contains the reason and what to do. */
final class ShardsProblem extends RuntimeException {
    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int INTERNAL_ERROR = 500;
    static final int UNAVAILABLE = 503;

    private final int status;

    /** Creates the exception with a status of HTTP. */
    ShardsProblem(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    int status() {
        return status;
    }
}
