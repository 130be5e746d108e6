package io.github.shardedid.move;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A goal, and the moves that reach it as the shards are now, to be reviewed before they are run. A plan reserves nothing: while it runs,
 * its moves are planned again and again. Immutable.
 *
 * @param goal what is to be reached
 * @param moves in the order in which they begin; empty if there is nothing to do
 */
public record MovePlan(MoveGoal goal, List<PlannedMove> moves) {
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

    /** ShardCopies the list. */
    public MovePlan {
        moves = List.copyOf(moves);
    }

    /**
     * The size of all moves.
     *
     * @return bytes of tables and indexes, without shards of unknown size
     */
    public long bytes() {
        return moves.stream().mapToLong(move -> Math.max(0, move.bytes())).sum();
    }

    /** A table with a line per move, and the sum. */
    @Override
    public String toString() {
        if (moves.isEmpty()) {
            return "nothing to move";
        }
        int names = Math.max(
                4,
                moves.stream()
                        .mapToInt(move ->
                                Math.max(move.source().length(), move.target().length()))
                        .max()
                        .orElse(0));
        String line = "%5s  %-" + names + "s  %-" + names + "s  %9s";
        return line.formatted("shard", "from", "to", "size") + "\n"
                + moves.stream()
                        .map(move -> line.formatted(move.shard(), move.source(), move.target(), readable(move.bytes())))
                        .collect(Collectors.joining("\n"))
                + "\n" + moves.size() + (moves.size() == 1 ? " move, " : " moves, ") + readable(bytes());
    }

    private static String readable(long bytes) {
        if (bytes < 0) {
            return "?";
        }
        long amount = bytes;
        int unit = 0;
        while (amount >= 10_240 && unit < UNITS.length - 1) {
            amount /= 1_024;
            unit++;
        }
        return amount + " " + UNITS[unit];
    }

    /**
     * One move of a plan.
     *
     * @param shard the logical shard
     * @param source the database that owns it
     * @param target the database that is to own it
     * @param bytes of its tables and indexes at the source, or -1 if unknown
     */
    public record PlannedMove(int shard, String source, String target, long bytes) {}
}
