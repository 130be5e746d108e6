package io.github.shardedid.move.internal.comparison;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the rows of some keys of a table, in batches. */
final class KeyedRows {
    private static final int BATCH = 1_000;
    private static final int PASSES = 5;

    private final TwoSides sides;
    private final ComparedTable table;

    KeyedRows(TwoSides sides, ComparedTable table) {
        this.sides = sides;
        this.table = table;
    }

    /** Keys whose rows differ, and those that are being written. */
    record Verdict(Set<List<String>> differ, Set<List<String>> unsettled) {}

    /** The keys whose rows are not the same on both sides at this moment. */
    Set<List<String>> differing(Collection<List<String>> keys) throws SQLException {
        Set<List<String>> differing = new HashSet<>();
        for (List<List<String>> batch : batches(keys)) {
            TwoSides.Answers<Map<List<String>, RowHash>> rows = sides.ask(side -> side.rowsWith(table, batch));
            for (List<String> key : batch) {
                if (!Objects.equals(rows.source().get(key), rows.target().get(key))) {
                    differing.add(key);
                }
            }
        }
        return differing;
    }

    /** How many of the keys have a row on each side. */
    TwoSides.Answers<Integer> count(Collection<List<String>> keys) throws SQLException {
        int source = 0;
        int target = 0;
        for (List<List<String>> batch : batches(keys)) {
            TwoSides.Answers<Map<List<String>, RowHash>> rows = sides.ask(side -> side.rowsWith(table, batch));
            source += rows.source().size();
            target += rows.target().size();
        }
        return new TwoSides.Answers<>(source, target);
    }

    /**
     * Distinguishes rows that are being written from rows that differ: the latter are the same at the source
     * before and after everything committed has arrived at the target, and differ from the target's, several times.
     */
    Verdict settle(Set<List<String>> keys, Barrier barrier) throws SQLException {
        Set<List<String>> open = new HashSet<>(keys);
        Set<List<String>> unsettled = new HashSet<>();
        Map<List<String>, TwoSides.Answers<String>> first = new HashMap<>();
        for (int pass = 0; pass < PASSES && !open.isEmpty(); pass++) {
            Map<List<String>, RowHash> before = rows(sides.source(), open);
            barrier.await();
            Map<List<String>, RowHash> there = rows(sides.target(), open);
            Map<List<String>, RowHash> after = rows(sides.source(), open);
            for (List<String> key : List.copyOf(open)) {
                String old = text(before.get(key));
                var seen = new TwoSides.Answers<>(text(after.get(key)), text(there.get(key)));
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

    private static String text(@Nullable RowHash row) {
        return String.valueOf(row);
    }

    private Map<List<String>, RowHash> rows(ComparedSide side, Collection<List<String>> keys) throws SQLException {
        Map<List<String>, RowHash> rows = new HashMap<>();
        for (List<List<String>> batch : batches(keys)) {
            rows.putAll(side.rowsWith(table, batch));
        }
        return rows;
    }

    private static List<List<List<String>>> batches(Collection<List<String>> keys) {
        List<List<String>> all = new ArrayList<>(keys);
        List<List<List<String>>> batches = new ArrayList<>();
        for (int from = 0; from < all.size(); from += BATCH) {
            batches.add(all.subList(from, Math.min(all.size(), from + BATCH)));
        }
        return batches;
    }
}
