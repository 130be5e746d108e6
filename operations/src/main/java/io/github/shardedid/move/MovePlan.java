package io.github.shardedid.move;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A standing order, one row in a database of the cluster. The process that runs it plans its moves from where the shards are, until none
 * is left. If that process stops, another one continues. Immutable.
 *
 * @param id the database with the row and a number, such as {@code pg1-3}
 * @param goal what is to be reached
 * @param offline whether the rows are copied under the fence, without logical replication
 * @param total how many moves there were to make when it began
 * @param done how many of them are no longer to be made
 * @param state whether it is running
 * @param started when it began, by the clock of the database
 * @param changed when it was last written, by the same clock
 * @param failure why it has failed, or null
 */
public record MovePlan(
        String id,
        MoveGoal goal,
        boolean offline,
        int total,
        int done,
        State state,
        Instant started,
        Instant changed,
        @Nullable String failure) {
    /** The state of a plan. */
    public enum State {
        /** A process runs it, or will continue it. */
        RUNNING,
        /** Its goal is reached. */
        DONE,
        /** It was stopped: no further move begins. */
        STOPPED,
        /** A move has failed: no further move begins. */
        FAILED
    }

    /**
     * One move that is left to reach a goal.
     *
     * @param shard the logical shard
     * @param source the database that owns it
     * @param target the database that is to own it
     * @param bytes of its tables and indexes at the source, or -1 if unknown
     */
    public record PlannedMove(int shard, String source, String target, long bytes) {}

    /** For messages. */
    @Override
    public String toString() {
        return "Plan " + id + " (" + goal + ")";
    }
}
