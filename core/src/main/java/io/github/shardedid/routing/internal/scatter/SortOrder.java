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
import org.jspecify.annotations.Nullable;

/** The order of rows by their sort keys, which are the last columns. Immutable. */
record SortOrder(int firstColumn, List<SortKey> keys, List<KeyType> types) {
    /**
     * The order of a query's rows.
     *
     * @throws UnmergeableQueryException if a key's type has an order that is not known here
     */
    static SortOrder of(ScatterQuery query, List<ScatterRun.Part> parts) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        boolean utf8 = parts.stream().allMatch(ScatterRun.Part::utf8);
        int firstColumn = columns.getColumnCount() - query.keys().size() + 1;
        List<KeyType> types = new ArrayList<>();
        for (int i = 0; i < query.keys().size(); i++) {
            String name = columns.getColumnTypeName(firstColumn + i);
            KeyType type = KeyType.of(name);
            SortKey key = query.keys().get(i);
            if (type == null || (type.isText() && !key.binary())) {
                throw unknown(query, key, name, type);
            } else if (type.isText() && !utf8) {
                throw otherEncoding(query, key);
            }
            types.add(type);
        }
        return new SortOrder(firstColumn, query.keys(), types);
    }

    private static UnmergeableQueryException unknown(
            ScatterQuery query, SortKey key, String name, @Nullable KeyType type) {
        String expression = key.expression().sql();
        String what = type == null
                ? "whose type " + name + " has an order that only the database knows"
                : "a text whose order depends on its collation";
        String instead = type == null
                ? "Order by something else, such as its text with COLLATE \"C\"."
                : "Order by its bytes, " + expression + " COLLATE \"C\", in HQL collate(… as C), or by the id.";
        return new UnmergeableQueryException("Rows of several statements cannot be merged in the order of " + expression
                + ", " + what + ": " + SqlText.brief(query.text()) + ". " + instead
                + " Shards that one statement asks need no merging.");
    }

    /** The collation "C" compares the bytes of the database's own encoding, which the driver does not show. */
    private static UnmergeableQueryException otherEncoding(ScatterQuery query, SortKey key) {
        return new UnmergeableQueryException("Rows of several statements cannot be merged in the order of "
                + key.expression().sql() + ", a text, because a database stores text in another encoding than UTF8: "
                + SqlText.brief(query.text())
                + ". Order by something else, such as the id. Shards that one statement asks"
                + " need no merging.");
    }

    /** The keys of the current row. */
    @Nullable
    Object[] keysOf(ResultSet rows) throws SQLException {
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
