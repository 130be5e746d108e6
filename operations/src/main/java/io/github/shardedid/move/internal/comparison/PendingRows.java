package io.github.shardedid.move.internal.comparison;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of a table that are still to be compared: those of some keys, or all. Not safe for use by several threads. */
final class PendingRows {
    private final ComparedTable table;
    private final int limit;
    private Set<List<String>> keys = new HashSet<>();
    private boolean whole;

    /**
     * Nothing is pending yet.
     *
     * @param limit how many keys are kept in memory; the whole table is compared if more rows have changed
     */
    PendingRows(ComparedTable table, int limit) {
        this.table = table;
        this.limit = limit;
    }

    ComparedTable table() {
        return table;
    }

    /**
     * Adds a row that was inserted, updated or deleted.
     *
     * @param before the logged values of the old row, by column; null if none are logged
     * @param after the logged values of the new row; null if it was deleted
     */
    void changed(@Nullable Map<String, @Nullable String> before, @Nullable Map<String, @Nullable String> after) {
        if (!table.hasKey()) {
            whole();
            return;
        }
        if (before != null) {
            add(keyOf(before, null));
        }
        if (after != null) {
            add(keyOf(after, before));
        }
    }

    /** The key of a row; null if it is not logged. A large value that has not changed is logged with the old row only. */
    private @Nullable List<String> keyOf(
            Map<String, @Nullable String> row, @Nullable Map<String, @Nullable String> old) {
        List<String> key = new ArrayList<>(table.key().size());
        for (String column : table.key()) {
            String value = row.get(column);
            if (value == null && old != null) {
                value = old.get(column);
            }
            if (value == null) {
                return null;
            }
            key.add(value);
        }
        return List.copyOf(key);
    }

    private void add(@Nullable List<String> key) {
        if (key == null || keys.size() >= limit) {
            whole();
        } else if (!whole) {
            keys.add(key);
        }
    }

    /** Adds the whole table. */
    void whole() {
        whole = true;
        keys = new HashSet<>();
    }

    /** Returns whether the row of a key is to be compared. */
    boolean contains(List<String> key) {
        return whole || keys.contains(key);
    }

    /** Returns and removes all keys. */
    Set<List<String>> takeKeys() {
        Set<List<String>> taken = keys;
        keys = new HashSet<>();
        return taken;
    }

    /** Returns whether the whole table is to be compared; false from then on. */
    boolean takeWhole() {
        boolean taken = whole;
        whole = false;
        return taken;
    }
}
