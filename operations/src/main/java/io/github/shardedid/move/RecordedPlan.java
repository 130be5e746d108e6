package io.github.shardedid.move;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan that was begun, as recorded in its journal, which is in the source database of its first move. If the process that runs it
 * stops, another one continues it. Immutable.
 *
 * @param id the database of the journal and a number, such as {@code pg1-3}
 * @param moves in the order in which they begin
 * @param offline whether the rows are copied under the fence, without logical replication
 * @param done how many of the moves have ended
 * @param state whether it is running
 * @param started when it began, by the clock of the journal's database
 * @param changed when its journal was last written, by the same clock
 * @param failure why it has failed, or null
 */
public record RecordedPlan(
        String id,
        List<PlannedMove> moves,
        boolean offline,
        int done,
        State state,
        Instant started,
        Instant changed,
        @Nullable String failure) {
    /** Copies the list. */
    public RecordedPlan {
        moves = List.copyOf(moves);
    }

    /** Whether a plan is running. */
    public enum State {
        /** A process runs it, or will continue it. */
        RUNNING,
        /** All its moves have ended. */
        DONE,
        /** It was stopped: no further move begins. */
        STOPPED,
        /** A move has failed: no further move begins. */
        FAILED
    }
}
