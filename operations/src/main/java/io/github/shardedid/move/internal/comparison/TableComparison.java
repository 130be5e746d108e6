package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.internal.comparison.ComparedSide.BagHash;
import io.github.shardedid.move.internal.comparison.ComparedSide.KeyRange;
import io.github.shardedid.move.internal.comparison.ContentComparison.ReplicationBarrier;
import io.github.shardedid.operations.internal.Batches;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the rows of a table: all of them in ranges of the key, or as one bag if there is no key; or the rows of some keys, in batches.
 * While the table is written, the two sides differ all the time, so a difference is {@linkplain #settle settled} before it counts:
 *
 * <ol>
 *   <li>The source is read.
 *   <li>The barrier is awaited: everything that was committed at the source until then is at the target.
 *   <li>The target is read, then the source again.
 *   <li>A row that was the same at the source both times, and is another one at the target, differs. If the source has changed in between,
 *       the row is being written, and is left to a later round.
 * </ol>
 */
final class TableComparison {
    private static final int BAG_PASSES = 3;
    private static final int BATCH = 1_000;
    private static final int KEY_PASSES = 5;
    private static final KeyRange ALL = new KeyRange(null, null);

    private final TwoSides sides;
    private final ComparedTable table;
    private final Chunks chunks;

    TableComparison(TwoSides sides, ComparedTable table, Chunks chunks) {
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
        return differing(differing);
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
    BagVerdict settle(ReplicationBarrier barrier) throws SQLException {
        for (int pass = 0; pass < BAG_PASSES; pass++) {
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

    /** Keys whose rows differ, and keys whose rows are being written. */
    record Verdict(Set<List<String>> differ, Set<List<String>> unsettled) {}

    /** The keys whose rows differ at this moment. */
    Set<List<String>> differing(Collection<List<String>> keys) throws SQLException {
        Set<List<String>> differing = new HashSet<>();
        for (List<List<String>> batch : Batches.of(keys, BATCH)) {
            TwoSides.Answers<Map<List<String>, Long>> rows = sides.ask(side -> side.rowsWith(table, batch));
            for (List<String> key : batch) {
                if (!Objects.equals(rows.source().get(key), rows.target().get(key))) {
                    differing.add(key);
                }
            }
        }
        return differing;
    }

    /** Counts the keys that have a row, on each side. */
    TwoSides.Answers<Integer> count(Collection<List<String>> keys) throws SQLException {
        return sides.ask(side -> rows(side, keys).size());
    }

    /**
     * Distinguishes rows that differ from rows that are being written. A row differs if, several times, it was the same at the source
     * before and after everything committed has arrived at the target, and another one at the target.
     */
    Verdict settle(Set<List<String>> keys, ReplicationBarrier barrier) throws SQLException {
        Set<List<String>> open = new HashSet<>(keys);
        Set<List<String>> unsettled = new HashSet<>();
        Map<List<String>, TwoSides.Answers<String>> first = new HashMap<>();
        for (int pass = 0; pass < KEY_PASSES && !open.isEmpty(); pass++) {
            Map<List<String>, Long> before = rows(sides.source(), open);
            barrier.await();
            Map<List<String>, Long> there = rows(sides.target(), open);
            Map<List<String>, Long> after = rows(sides.source(), open);
            for (List<String> key : List.copyOf(open)) {
                String old = String.valueOf(before.get(key));
                var seen = new TwoSides.Answers<>(String.valueOf(after.get(key)), String.valueOf(there.get(key)));
                if (seen.equal() || seen.target().equals(old)) {
                    open.remove(key);
                } else if (!seen.source().equals(old)
                        || !first.getOrDefault(key, seen).equals(seen)) {
                    open.remove(key);
                    unsettled.add(key);
                }
                first.putIfAbsent(key, seen);
            }
        }
        return new Verdict(open, unsettled);
    }

    private Map<List<String>, Long> rows(ComparedSide side, Collection<List<String>> keys) throws SQLException {
        Map<List<String>, Long> rows = new HashMap<>();
        for (List<List<String>> batch : Batches.of(keys, BATCH)) {
            rows.putAll(side.rowsWith(table, batch));
        }
        return rows;
    }
}
