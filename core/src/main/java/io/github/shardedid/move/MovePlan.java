package io.github.shardedid.move;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Moves that together empty a database or make all even, to be looked at before they are run. Nothing is begun or reserved by
 * a plan. Immutable.
 *
 * @param moves in the order in which they are begun; empty if there is nothing to do
 */
public record MovePlan(List<PlannedMove> moves) {
    /** Copies the list. */
    public MovePlan {
        moves = List.copyOf(moves);
    }

    /** What an operator reads before running it: a line per move. */
    @Override
    public String toString() {
        return moves.isEmpty()
                ? "nothing to move"
                : moves.stream()
                        .map(move -> "shard " + move.shard() + ": " + move.source() + " → " + move.target()
                                + (move.bytes() < 0 ? "" : " (" + move.bytes() + " bytes)"))
                        .collect(Collectors.joining("\n"));
    }
}
