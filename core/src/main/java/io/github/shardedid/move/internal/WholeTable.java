package io.github.shardedid.move.internal;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares all rows of a table: with a key, in ranges of it; without one, as one bag. */
final class WholeTable {
    private static final int PASSES = 3;
    private static final KeyRange ALL = new KeyRange(null, null);

    private final TwoSides sides;
    private final ComparedTable table;
    private final int chunk;
    private long rows;

    /** Prepares to compare in ranges of so many rows. */
    WholeTable(TwoSides sides, ComparedTable table, int chunk) {
        this.sides = sides;
        this.table = table;
        this.chunk = chunk;
    }

    /** How many rows of the source were compared. */
    long rows() {
        return rows;
    }

    /** The ranges that are not the same on both sides at this moment. */
    List<KeyRange> differingRanges() throws SQLException {
        List<KeyRange> differing = new ArrayList<>();
        List<String> after = null;
        do {
            KeyRange range = next(after);
            TwoSides.Answers<BagHash> hashes = sides.ask(side -> side.hashOf(table, range));
            rows += hashes.source().rows();
            if (!hashes.equal()) {
                differing.add(range);
            }
            after = range.to();
        } while (after != null);
        return differing;
    }

    /** A range that has an end also in the order of the target, so that each of its rows, too, is in one range. */
    private KeyRange next(@Nullable List<String> after) throws SQLException {
        int size = chunk;
        while (true) {
            KeyRange range = new KeyRange(
                    after,
                    sides.source()
                            .keyAfter(table, new KeyRange(after, null), size)
                            .orElse(null));
            if (sides.target().inOrder(table, range)) {
                return range;
            }
            size += chunk;
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

    /** Tells a bag that is being written from one that differs. */
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
