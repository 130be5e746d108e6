package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.MoveMismatchException;
import io.github.shardedid.move.internal.comparison.ComparedTable.Column;
import java.util.List;
import java.util.stream.Collectors;

/** Messages about rows that differ. They contain the keys of the rows and no other values. */
final class Mismatches {
    private static final int NAMED = 20;
    private static final String ADVICE =
            " Somebody or something else has written to the copy, or replication has left something"
                    + " out. The shard stays where it is: abort the move, look for the cause, and move again.";

    private Mismatches() {}

    static MoveMismatchException ofKeys(
            TwoSides sides, ComparedTable table, List<List<String>> keys, TwoSides.Answers<Integer> counts) {
        String named = keys.stream()
                .limit(NAMED)
                .map(key -> "(" + String.join(", ", key) + ")")
                .sorted()
                .collect(Collectors.joining(", "));
        return new MoveMismatchException(begin(sides, table) + keys.size() + " of the rows compared: those with "
                + table.key().stream().map(Column::name).collect(Collectors.joining(", ", "(", ")")) + " = " + named
                + (keys.size() > NAMED ? ", …" : "") + ". Of the keys looked at the source has " + counts.source()
                + " rows, the target " + counts.target() + "." + ADVICE);
    }

    static MoveMismatchException ofBags(TwoSides sides, ComparedTable table, TwoSides.Answers<BagHash> bags) {
        return new MoveMismatchException(begin(sides, table)
                + "some rows, which have no key to name them by: the source has "
                + bags.source().rows() + " rows, the target " + bags.target().rows() + "." + ADVICE);
    }

    private static String begin(TwoSides sides, ComparedTable table) {
        return "Both copies of shard schema " + sides.target().schema() + " differ in table " + table.name() + " in ";
    }
}
