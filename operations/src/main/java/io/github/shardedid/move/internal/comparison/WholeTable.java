package io.github.shardedid.move.internal.comparison;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Compares all rows of a table: in ranges of the key, or as one bag if there is no key. */
final class WholeTable {
    private static final int PASSES = 3;
    private static final KeyRange ALL = new KeyRange(null, null);

    private final TwoSides sides;
    private final ComparedTable table;
    private final Chunks chunks;

    WholeTable(TwoSides sides, ComparedTable table, Chunks chunks) {
        this.sides = sides;
        this.table = table;
        this.chunks = chunks;
    }

    /**
     * The sizes of the ranges in which a table is compared. One statement reads one range, so that no snapshot becomes old.
     *
     * @param bytes a table up to this size is one range at first
     * @param wide the rows in a range of a larger table at first
     * @param narrow the rows in each part of a range that differs
     */
    record Chunks(long bytes, int wide, int narrow) {
        /** Ranges that are read in a few seconds. */
        static final Chunks DEFAULT = new Chunks(1L << 30, 200_000, 20_000);
    }

    /** The narrow ranges that differ at this moment. */
    List<KeyRange> differingRanges() throws SQLException {
        List<KeyRange> differing = new ArrayList<>();
        for (KeyRange range : differing(ALL, table.bytes() <= chunks.bytes() ? Integer.MAX_VALUE : chunks.wide())) {
            differing.addAll(differing(range, chunks.narrow()));
        }
        return differing;
    }

    private List<KeyRange> differing(KeyRange all, int size) throws SQLException {
        List<KeyRange> differing = new ArrayList<>();
        List<String> after = all.after();
        do {
            KeyRange range = size == Integer.MAX_VALUE ? all : next(new KeyRange(after, all.to()), size);
            if (!sides.ask(side -> side.hashOf(table, range)).equal()) {
                differing.add(range);
            }
            after = range.to();
        } while (!Objects.equals(after, all.to()));
        return differing;
    }

    /** The first range of those left. It also is a range in the order of the target, so that each of the target's rows is in one range. */
    private KeyRange next(KeyRange left, int size) throws SQLException {
        for (int rows = size; ; rows += size) {
            Optional<List<String>> to = sides.source().keyAfter(table, left, rows);
            if (to.isEmpty()) {
                return left;
            }
            KeyRange range = new KeyRange(left.after(), to.get());
            if (sides.target().inOrder(table, range)
                    && sides.target().inOrder(table, new KeyRange(to.get(), left.to()))) {
                return range;
            }
        }
    }

    /** The keys in a range whose rows differ at this moment. */
    Set<List<String>> differingKeys(KeyRange range) throws SQLException {
        TwoSides.Answers<Map<List<String>, Long>> all = sides.ask(side -> side.rowsOf(table, range));
        Set<List<String>> differing = new HashSet<>();
        all.source().forEach((key, hash) -> {
            if (!hash.equals(all.target().get(key))) {
                differing.add(key);
            }
        });
        all.target().keySet().stream()
                .filter(key -> !all.source().containsKey(key))
                .forEach(differing::add);
        // If the sides sort texts in different ways, a row may be in different ranges.
        return new KeyedRows(sides, table).differing(differing);
    }

    /** The rows of both sides at this moment, in any order. */
    TwoSides.Answers<BagHash> bags() throws SQLException {
        return sides.ask(side -> side.hashOf(table, ALL));
    }

    /** The result for a bag whose hashes differ. */
    enum BagVerdict {
        EQUAL,
        DIFFERENT,
        UNSETTLED
    }

    /** Distinguishes a bag that differs from one that is being written. */
    BagVerdict settle(Barrier barrier) throws SQLException {
        for (int pass = 0; pass < PASSES; pass++) {
            BagHash before = sides.source().hashOf(table, ALL);
            barrier.await();
            BagHash there = sides.target().hashOf(table, ALL);
            BagHash after = sides.source().hashOf(table, ALL);
            if (there.equals(before) || there.equals(after)) {
                return BagVerdict.EQUAL;
            }
            if (!before.equals(after)) {
                return BagVerdict.UNSETTLED;
            }
        }
        return BagVerdict.DIFFERENT;
    }
}
