package io.github.shardedid.move.internal.comparison;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Compares all rows of a table: with a key, in ranges of it; without one, as one bag. */
final class WholeTable {
    private static final int PASSES = 3;
    private static final KeyRange ALL = new KeyRange(null, null);

    private final TwoSides sides;
    private final ComparedTable table;
    private final Chunks chunks;
    private long rows;

    /** Prepares to compare in such ranges. */
    WholeTable(TwoSides sides, ComparedTable table, Chunks chunks) {
        this.sides = sides;
        this.table = table;
        this.chunks = chunks;
    }

    /**
     * In what a table is compared. A statement reads no more than one of the first ones, so that no snapshot gets old.
     *
     * @param bytes a table of so many is compared as one at first
     * @param wide rows in a range at first, if it is larger
     * @param narrow rows in a range of what has differed so
     */
    record Chunks(long bytes, int wide, int narrow) {
        /** What is read in a few seconds. */
        static final Chunks DEFAULT = new Chunks(1L << 30, 200_000, 20_000);
    }

    /** How many rows of the source were compared. */
    long rows() {
        return rows;
    }

    /** The narrow ranges that are not the same on both sides at this moment. */
    List<KeyRange> differingRanges() throws SQLException {
        List<KeyRange> differing = new ArrayList<>();
        for (KeyRange range :
                differing(ALL, table.bytes() <= chunks.bytes() ? Integer.MAX_VALUE : chunks.wide(), true)) {
            differing.addAll(differing(range, chunks.narrow(), false));
        }
        return differing;
    }

    private List<KeyRange> differing(KeyRange all, int size, boolean counted) throws SQLException {
        List<KeyRange> differing = new ArrayList<>();
        List<String> after = all.after();
        KeyRange range;
        do {
            range = size == Integer.MAX_VALUE ? all : next(new KeyRange(after, all.to()), size);
            KeyRange asked = range;
            TwoSides.Answers<BagHash> hashes = sides.ask(side -> side.hashOf(table, asked));
            rows += counted ? hashes.source().rows() : 0;
            if (!hashes.equal()) {
                differing.add(range);
            }
            after = range.to();
        } while (!Objects.equals(after, all.to()));
        return differing;
    }

    /** The beginning of what is left, with an end also in the order of the target: each of its rows, too, is in one range. */
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

    /** The keys in a range whose rows are not the same at this moment. */
    Set<List<String>> differingKeys(KeyRange range) throws SQLException {
        TwoSides.Answers<Map<List<String>, RowHash>> all = sides.ask(side -> side.rowsOf(table, range));
        Set<List<String>> differing = new HashSet<>();
        all.source().forEach((key, hash) -> {
            if (!hash.equals(all.target().get(key))) {
                differing.add(key);
            }
        });
        all.target().keySet().stream()
                .filter(key -> !all.source().containsKey(key))
                .forEach(differing::add);
        // Where texts are sorted in another way, a row may have been in another range of the other side.
        return new KeyedRows(sides, table).differing(differing);
    }

    /** Whether both bags are the same at this moment. */
    TwoSides.Answers<BagHash> bags() throws SQLException {
        TwoSides.Answers<BagHash> bags = sides.ask(side -> side.hashOf(table, ALL));
        rows += bags.source().rows();
        return bags;
    }

    /** How a bag that seemed to differ turned out. */
    enum BagVerdict {
        EQUAL,
        DIFFERENT,
        UNSETTLED
    }

    /** Distinguishes a bag that is being written from one that differs. */
    BagVerdict settle(Barrier barrier) throws SQLException {
        BagVerdict verdict = BagVerdict.UNSETTLED;
        for (int pass = 0; pass < PASSES; pass++) {
            BagHash before = sides.source().hashOf(table, ALL);
            barrier.await();
            BagHash there = sides.target().hashOf(table, ALL);
            BagHash after = sides.source().hashOf(table, ALL);
            if (there.equals(before) || there.equals(after)) {
                return BagVerdict.EQUAL;
            }
            verdict = before.equals(after) ? BagVerdict.DIFFERENT : BagVerdict.UNSETTLED;
            if (verdict == BagVerdict.UNSETTLED) {
                return verdict;
            }
        }
        return verdict;
    }
}
