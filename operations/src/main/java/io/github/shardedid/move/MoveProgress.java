package io.github.shardedid.move;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a move has come.
 *
 * @param move as its journal told when the step began
 * @param step what is being done
 * @param rowsCopied rows that the target has, about; -1 where unknown
 * @param rowsTotal rows of the source, as its statistics estimate; -1 where unknown
 * @param bytesCopied bytes of rows that have been copied, about; -1 where unknown
 * @param bytesTotal bytes of the source's tables, without indexes; -1 where unknown
 * @param lagBytes how much of the source's log the target has still to hear of; -1 where unknown
 * @param timeLeft of the copying, at the present rate; null where unknown
 * @param pause how long nobody could write to the shard; null until the switch
 */
public record MoveProgress(
        Move move,
        MoveStep step,
        long rowsCopied,
        long rowsTotal,
        long bytesCopied,
        long bytesTotal,
        long lagBytes,
        @Nullable Duration timeLeft,
        @Nullable Duration pause) {
    /**
     * The beginning of a step, of which no figures are known.
     *
     * @param move as its journal tells
     * @return the progress
     */
    public static MoveProgress of(Move move) {
        return new MoveProgress(move, move.step(), -1, -1, -1, -1, -1, null, move.pause());
    }
}
