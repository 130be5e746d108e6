package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.SortKey;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows by their sort keys, which are the last columns. Immutable.
 *
 * @param types those of the keys if Java can merge by them
 * @param positions else, where a database has put the rows of each statement
 */
record SortOrder(int firstColumn, List<SortKey> keys, List<KeyType> types, Map<ScatterRun.Part, long[]> positions) {
    /**
     * The order of a query's rows.
     *
     * @throws UnmergeableQueryException if a key's type has an order that neither Java nor a further statement can tell
     */
    static SortOrder of(ScatterQuery query, List<ScatterRun.Part> parts, ServerMerge server) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        boolean utf8 = parts.stream().allMatch(ScatterRun.Part::utf8);
        int firstColumn = columns.getColumnCount() - query.keys().size() + 1;
        List<KeyType> types = new ArrayList<>();
        for (int i = 0; i < query.keys().size(); i++) {
            KeyType type = KeyType.of(columns.getColumnTypeName(firstColumn + i));
            SortKey key = query.keys().get(i);
            if (type == null || (type == KeyType.TEXT && !(key.binary() && utf8))) {
                SortKey position = new SortKey(key.expression(), false, false, false);
                return new SortOrder(0, List.of(position), List.of(KeyType.WHOLE), server.positions(firstColumn));
            }
            types.add(type);
        }
        return new SortOrder(firstColumn, query.keys(), types, Map.of());
    }

    /** The keys of a statement's current row. */
    @Nullable
    Object[] keysOf(ScatterRun.Part part) throws SQLException {
        ResultSet rows = part.rows();
        long[] own = positions.get(part);
        if (own != null) {
            return new @Nullable Object[] {own[rows.getRow() - 1]};
        }
        @Nullable Object[] values = new @Nullable Object[types.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = types.get(i).value(rows, firstColumn + i);
            values[i] = rows.wasNull() ? null : value;
        }
        return values;
    }

    int compare(@Nullable Object[] a, @Nullable Object[] b) {
        for (int i = 0; i < a.length; i++) {
            int result = compare(i, a[i], b[i]);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }

    private int compare(int key, @Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            int nullFirst = a == b ? 0 : a == null ? -1 : 1;
            return keys.get(key).nullsFirst() ? nullFirst : -nullFirst;
        }
        Comparator<Object> order = types.get(key).order();
        return keys.get(key).descending() ? order.compare(b, a) : order.compare(a, b);
    }
}
