package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.query.Aggregate;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One row of aggregates over the rows that the shards have sent, one each. */
final class MergedAggregates extends MergedResult {
    private final List<MergedValue> columns = new ArrayList<>();
    private boolean read;
    private boolean wasNull;

    MergedAggregates(Object statement, ScatterRun run, List<ScatterRun.Part> parts, ScatterQuery query)
            throws SQLException {
        super(statement, run, parts, 0);
        for (int i = 0; i < query.aggregates().size(); i++) {
            columns.add(column(i + 1, query, parts));
        }
    }

    private MergedValue column(int column, ScatterQuery query, List<ScatterRun.Part> parts) throws SQLException {
        MergedValue value = empty(column, query, first());
        for (ScatterRun.Part part : parts) {
            ResultSet rows = part.rows();
            rows.beforeFirst();
            while (rows.next()) {
                value.add(rows, column);
            }
        }
        return value;
    }

    /** Whether a database has to compare the values: they are texts. */
    static boolean needsDatabase(ScatterQuery query, ResultSet result) throws SQLException {
        for (int i = 1; i <= query.aggregates().size(); i++) {
            if (ServerMerge.isText(result.getMetaData().getColumnTypeName(i))) {
                return true;
            }
        }
        return false;
    }

    /** What the values of a column are merged into. */
    private static MergedValue empty(int column, ScatterQuery query, ResultSet result) throws SQLException {
        String type = result.getMetaData().getColumnTypeName(column);
        Aggregate aggregate = query.aggregates().get(column - 1);
        KeyType known = KeyType.of(type);
        if (known == null) {
            throw new UnmergeableQueryException("A " + aggregate.name().toLowerCase(Locale.ROOT)
                    + " of values of type " + type + " cannot be merged over shards: " + SqlText.brief(query.text())
                    + ". Only the database knows their order: cast them, or query each shard.");
        }
        return switch (aggregate) {
            case SUM -> new MergedValue.Sum(type);
            case ANY -> new MergedValue.Any();
            case MIN -> new MergedValue.Extreme(known, false);
            case MAX -> new MergedValue.Extreme(known, true);
        };
    }

    @Override
    boolean advance() {
        boolean firstTime = !read;
        read = true;
        return firstTime;
    }

    @Override
    @Nullable
    Object read(Method method, @Nullable Object[] arguments) throws Throwable {
        int column = column(arguments[0], first(), columns.size());
        wasNull = columns.get(column - 1).isNull();
        return read(columns.get(column - 1), column, method, arguments);
    }

    /** The number of a column that has a number or a label. */
    static int column(@Nullable Object asked, ResultSet result, int columns) throws SQLException {
        int column =
                asked instanceof String label ? result.findColumn(label) : asked instanceof Integer index ? index : 0;
        if (column < 1 || column > columns) {
            throw new SQLException("There is no column " + asked + ".", "22023");
        }
        return column;
    }

    static @Nullable Object read(MergedValue value, int column, Method method, @Nullable Object[] arguments)
            throws Throwable {
        @Nullable Object[] moved = arguments.clone();
        moved[0] = column;
        return value.read(method, moved);
    }

    @Override
    boolean wasNull() {
        return wasNull;
    }
}
