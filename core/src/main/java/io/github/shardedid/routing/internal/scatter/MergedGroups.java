package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.query.Aggregate;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The groups of a GROUP BY, or the rows of a DISTINCT: those of the shards with equal keys as one. */
final class MergedGroups extends MergedResult {
    private final ScatterQuery query;
    private final List<Integer> keys;
    private final List<KeyType> types = new ArrayList<>();
    private final Iterator<List<MergedValue>> groups;
    private List<MergedValue> current = List.of();
    private boolean wasNull;

    MergedGroups(
            Object statement,
            ScatterRun run,
            List<ScatterRun.Part> parts,
            ScatterCall call,
            ScatterQuery.Grouping grouping)
            throws SQLException {
        super(statement, run, parts, 0);
        query = call.query();
        keys = IntStream.range(0, query.aggregates().size())
                .filter(column -> query.aggregates().get(column) == Aggregate.KEY)
                .mapToObj(column -> column + 1)
                .toList();
        boolean utf8 = parts.stream().allMatch(ScatterRun.Part::utf8);
        for (int column : keys) {
            types.add(type(column, grouping.texts() && utf8));
        }
        requireSortable(grouping);
        groups = merged(parts).stream()
                .sorted(order(grouping))
                .skip(call.bounds().offset())
                .limit(call.bounds().wanted())
                .iterator();
    }

    private KeyType type(int column, boolean texts) throws SQLException {
        String name = first().getMetaData().getColumnTypeName(column);
        KeyType type = KeyType.of(name);
        if (type == null || (type.isText() && !texts)) {
            throw new UnmergeableQueryException("Groups by values of type " + name
                    + " cannot be merged over shards, since only the database knows which are equal: "
                    + SqlText.brief(query.text()) + ". Group by something else, or query each shard.");
        }
        return type;
    }

    private void requireSortable(ScatterQuery.Grouping grouping) throws SQLException {
        for (ScatterQuery.GroupOrder key : grouping.order()) {
            int index = keys.indexOf(key.column());
            if (index >= 0 && types.get(index).isText()) {
                throw new UnmergeableQueryException("Groups cannot be merged in the order of column " + key.column()
                        + ", a text whose order depends on its collation: " + SqlText.brief(query.text())
                        + ". Order by something else, or sort in the application.");
            }
        }
    }

    private List<List<MergedValue>> merged(List<ScatterRun.Part> parts) throws SQLException {
        Map<List<@Nullable Object>, List<MergedValue>> found = new TreeMap<>(this::compareKeys);
        for (ScatterRun.Part part : parts) {
            ResultSet rows = part.rows();
            rows.beforeFirst();
            while (rows.next()) {
                add(rows, found);
            }
        }
        return new ArrayList<>(found.values());
    }

    private void add(ResultSet rows, Map<List<@Nullable Object>, List<MergedValue>> found) throws SQLException {
        List<@Nullable Object> key = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Object value = types.get(i).value(rows, keys.get(i));
            key.add(rows.wasNull() ? null : value);
        }
        List<MergedValue> group = found.get(key);
        boolean isNew = group == null;
        if (group == null) {
            group = new ArrayList<>();
            for (int column = 1; column <= query.aggregates().size(); column++) {
                group.add(MergedAggregates.empty(column, query, first()));
            }
            found.put(key, group);
        }
        for (int column = 1; column <= group.size(); column++) {
            if (isNew || query.aggregates().get(column - 1) != Aggregate.KEY) {
                group.get(column - 1).add(rows, column);
            }
        }
    }

    private int compareKeys(List<@Nullable Object> a, List<@Nullable Object> b) {
        int result = 0;
        for (int i = 0; i < types.size() && result == 0; i++) {
            Object own = a.get(i);
            Object its = b.get(i);
            if (own == null || its == null) {
                result = Boolean.compare(own == null, its == null);
            } else {
                result = types.get(i).order().compare(own, its);
            }
        }
        return result;
    }

    private static Comparator<List<MergedValue>> order(ScatterQuery.Grouping grouping) {
        return (a, b) -> {
            int result = 0;
            for (ScatterQuery.GroupOrder key : grouping.order()) {
                if (result == 0) {
                    result = compare(key, a.get(key.column() - 1), b.get(key.column() - 1));
                }
            }
            return result;
        };
    }

    private static int compare(ScatterQuery.GroupOrder key, MergedValue a, MergedValue b) {
        if (a.isNull() || b.isNull()) {
            int nullFirst = Boolean.compare(b.isNull(), a.isNull());
            return key.nullsFirst() ? nullFirst : -nullFirst;
        }
        return key.descending() ? b.compare(a) : a.compare(b);
    }

    @Override
    boolean advance() {
        boolean more = groups.hasNext();
        current = more ? groups.next() : List.of();
        return more;
    }

    @Override
    @Nullable
    Object read(Method method, @Nullable Object[] arguments) throws Throwable {
        int column = MergedAggregates.column(arguments[0], first(), current.size());
        MergedValue value = current.get(column - 1);
        wasNull = value.isNull();
        return MergedAggregates.read(value, column, method, arguments);
    }

    @Override
    boolean wasNull() {
        return wasNull;
    }
}
