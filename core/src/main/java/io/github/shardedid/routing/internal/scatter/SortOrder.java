package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
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

/** The order of rows by their sort keys, which are the last columns. Immutable. */
record SortOrder(int firstColumn, List<SortKey> keys, List<Order> orders) {
    private static final Comparator<Object> RANKS = Comparator.comparing(Long.class::cast);

    /** How one key's values are read and compared: by their type, or texts by the ranks that a database gave them. */
    private record Order(KeyType type, @Nullable Map<String, Long> ranks) {
        @Nullable
        Object value(ResultSet rows, int column) throws SQLException {
            if (ranks == null) {
                return type.value(rows, column);
            }
            String text = rows.getString(column);
            return text == null ? null : ranks.get(text);
        }

        Comparator<Object> comparator() {
            return ranks == null ? type.order() : RANKS;
        }
    }

    /**
     * The order of a query's rows.
     *
     * @throws UnmergeableQueryException if a key's type has an order that is not known here
     */
    static SortOrder of(ScatterQuery query, List<ScatterRun.Part> parts, ServerMerge server) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        boolean utf8 = parts.stream().allMatch(ScatterRun.Part::utf8);
        int firstColumn = columns.getColumnCount() - query.keys().size() + 1;
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < query.keys().size(); i++) {
            String name = columns.getColumnTypeName(firstColumn + i);
            KeyType type = KeyType.of(name);
            SortKey key = query.keys().get(i);
            if (type == null) {
                throw unknown(query, key, name);
            }
            boolean byBytes = key.binary() && utf8;
            orders.add(new Order(type, type.isText() && !byBytes ? server.ranks(firstColumn + i) : null));
        }
        return new SortOrder(firstColumn, query.keys(), orders);
    }

    private static UnmergeableQueryException unknown(ScatterQuery query, SortKey key, String name) {
        return new UnmergeableQueryException("Rows of several statements cannot be merged in the order of "
                + key.expression().sql() + ", whose type " + name + " has an order that only the database knows: "
                + SqlText.brief(query.text())
                + ". Order by something else, such as its text. Shards that one statement asks need no merging.");
    }

    /** The keys of the current row. */
    @Nullable
    Object[] keysOf(ResultSet rows) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[orders.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = orders.get(i).value(rows, firstColumn + i);
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
        Comparator<Object> order = orders.get(key).comparator();
        return keys.get(key).descending() ? order.compare(b, a) : order.compare(a, b);
    }
}
