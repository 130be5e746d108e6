package io.github.shardedid.routing;

import io.github.shardedid.WayOut;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * No database serves the shard of a statement: a move has fenced it, for longer than statements wait. Usually the process that moved it
 * has died. Nothing was sent. Until the move is resumed or aborted, statements for the shard fail at once; other shards are not
 * affected.
 */
public class ShardFencedException extends ShardMovedException {
    /** Another instance resumes a move within seconds. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final String database;

    private ShardFencedException(String message, String database, @Nullable Throwable cause) {
        super(message, false, cause);
        this.database = database;
    }

    /**
     * Creates the exception.
     *
     * @param shard the shard
     * @param database the name of the database that the shard was about to leave
     * @param unreachable the names of the databases that cannot be reached, which may own the shard
     * @param cause what that database said; null if it was not asked
     * @return the exception
     */
    public static ShardFencedException of(
            int shard, String database, Collection<String> unreachable, @Nullable Throwable cause) {
        String why = unreachable.isEmpty()
                ? " If no process works on the move any more, resume or abort it: " + WayOut.RESUME_MOVE.of(shard)
                        + " or " + WayOut.ABORT_MOVE.of(shard) + "."
                : " These databases, one of which may have taken it over, cannot be reached: " + unreachable + ".";
        return new ShardFencedException(
                "Shard " + shard + " is on its way to another database: it is fenced in database " + database
                        + " for longer than is waited, and no database serves it. Nothing of this transaction stays; run"
                        + " it again in " + RETRY_AFTER.toSeconds() + " s." + why + " Other shards are not concerned.",
                database,
                cause);
    }

    /** Returns the name of the database that the shard was about to leave. */
    public String database() {
        return database;
    }

    /**
     * When to try again, as for a response with {@code Retry-After}.
     *
     * @return the time from now
     */
    public Duration retryAfter() {
        return RETRY_AFTER;
    }
}
