package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Batches;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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

    /** How many of the keys have a row on each side. */
    TwoSides.Answers<Integer> count(Collection<List<String>> keys) throws SQLException {
        return sides.ask(side -> rows(side, keys).size());
    }

    /**
     * Distinguishes rows that differ from rows that are being written. A row differs if, several times, it was the same at the source
     * before and after everything committed has arrived at the target, and another one at the target.
     */
    Verdict settle(Set<List<String>> keys, Barrier barrier) throws SQLException {
        Set<List<String>> open = new HashSet<>(keys);
        Set<List<String>> unsettled = new HashSet<>();
        Map<List<String>, TwoSides.Answers<String>> first = new HashMap<>();
        for (int pass = 0; pass < PASSES && !open.isEmpty(); pass++) {
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
