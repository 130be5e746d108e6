package io.github.shardedid.move;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a move.
 *
 * @param move as recorded when the step began
 * @param step the current step
 * @param bytesCopied approximate bytes of rows that have been copied; -1 if unknown
 * @param bytesTotal bytes of the source's tables, without indexes; -1 if unknown
 * @param lagBytes how much of the source's log the target has not received yet; -1 if unknown
 * @param pause how long the shard could not be written; null until the switch
 */
public record MoveProgress(
        Move move, MoveStep step, long bytesCopied, long bytesTotal, long lagBytes, @Nullable Duration pause) {
    /**
     * The beginning of a step, without figures.
     *
     * @param move as recorded in its journal
     * @return the progress
     */
    public static MoveProgress of(Move move) {
        return new MoveProgress(move, move.step(), -1, -1, -1, move.pause());
    }
}
