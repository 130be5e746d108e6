package io.github.shardedid.routing.internal.relocation;

import java.sql.SQLException;

/** How long one execution of a statement has looked for its shard, which was not where it was sent. For one thread at a time. */
public final class ShardSearch {
    private final long begun;
    private final long longest;
    private final boolean timed;

    /** The version of the map by which it was sent to the same database again. */
    private long repeatedAt;

    ShardSearch(long longestWait, boolean waitExceeded, long timeout) {
        this.begun = System.nanoTime() - (waitExceeded ? longestWait : 0);
        this.timed = timeout < longestWait;
        this.longest = timed ? timeout : longestWait;
    }

    /** Whether the statement's own timeout is what ends it. */
    boolean isTimed() {
        return timed;
    }

    /** In nanoseconds. */
    long longest() {
        return longest;
    }

    boolean isOver() {
        return left() <= 0;
    }

    long left() {
        return longest - (System.nanoTime() - begun);
    }

    /** Something may be sent once more to where it has failed: perhaps the move was given up meanwhile. */
    void requireFirst(long version, SQLException failure) throws SQLException {
        if (repeatedAt == version || (repeatedAt > 0 && isOver())) {
            throw failure;
        }
        repeatedAt = version;
    }
}
