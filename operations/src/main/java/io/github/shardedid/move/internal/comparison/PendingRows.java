package io.github.shardedid.move.internal.comparison;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of one table is still to be compared: the rows of some keys, or the whole table. As long as it is compared as a whole,
 * no keys are kept. Not safe for use by several threads.
 */
final class PendingRows implements PgOutput.Changes {
    private final ComparedTable table;
    private final int limit;
    private Set<List<String>> keys = new HashSet<>();
    private boolean whole;

    /**
     * Nothing is pending yet.
     *
     * @param limit so many keys are kept in memory; with more changes than that the table is compared as a whole
     */
    PendingRows(ComparedTable table, int limit) {
        this.table = table;
        this.limit = limit;
    }

    @Override
    public void changed(String name, PgOutput.@Nullable Tuple before, PgOutput.@Nullable Tuple after) {
        if (!table.hasKey()) {
            whole = true;
            return;
        }
        if (before != null) {
            add(keyOf(before, null));
        }
        if (after != null) {
            add(keyOf(after, before));
        }
    }

    @Override
    public void truncated(String name) {
        whole();
    }

    /** The key of a row; a large value that did not change is in the old row only. Null if it is in neither. */
    private @Nullable List<String> keyOf(PgOutput.Tuple tuple, PgOutput.@Nullable Tuple other) {
        List<String> key = new ArrayList<>(table.key().size());
        for (ComparedTable.KeyColumn column : table.key()) {
            String value = tuple.value(column.name());
            if (value == null && other != null) {
                value = other.value(column.name());
            }
            if (value == null) {
                return null;
            }
            key.add(value);
        }
        return List.copyOf(key);
    }

    private void add(@Nullable List<String> key) {
        if (key == null) {
            whole();
        } else if (!whole) {
            keys.add(key);
            if (keys.size() > limit) {
                whole();
            }
        }
    }

    /** These are still to be compared. */
    void addAll(Collection<List<String>> more) {
        more.forEach(this::add);
    }

    /** The whole table is still to be compared. */
    void whole() {
        whole = true;
        keys = new HashSet<>();
    }

    int size() {
        return keys.size();
    }

    /** Takes all keys, so that none is left. */
    Set<List<String>> takeKeys() {
        Set<List<String>> taken = keys;
        keys = new HashSet<>();
        return taken;
    }

    /** Whether the whole table was to be compared, which it no longer is. */
    boolean takeWhole() {
        boolean taken = whole;
        whole = false;
        return taken;
    }
}
