package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One row of aggregates over the rows that the shards have sent, one each. */
final class MergedAggregates extends MergedResult {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");

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

    /** Whether a database has to merge the values: they are neither whole numbers, nor in an order of such or of bytes. */
    static boolean needsDatabase(ScatterQuery query, List<ScatterRun.Part> parts) throws SQLException {
        ResultSetMetaData columns = parts.get(0).rows().getMetaData();
        for (int i = 1; i <= query.aggregates().size(); i++) {
            String type = columns.getColumnTypeName(i);
            boolean known =
                    switch (query.aggregates().get(i - 1)) {
                        case SUM -> type.equals("int8") || (type.equals("numeric") && areWhole(parts, i));
                        case MIN, MAX -> KeyType.of(type) != null && KeyType.of(type) != KeyType.TEXT;
                        case ANY -> true;
                    };
            if (!known) {
                return true;
            }
        }
        return false;
    }

    private static boolean areWhole(List<ScatterRun.Part> parts, int column) throws SQLException {
        boolean whole = true;
        for (ScatterRun.Part part : parts) {
            while (part.rows().next()) {
                String value = part.rows().getString(column);
                whole &= value == null || WHOLE.matcher(value).matches();
            }
            part.rows().beforeFirst();
        }
        return whole;
    }

    /** What the values of a column are merged into. */
    private static MergedValue empty(int column, ScatterQuery query, ResultSet result) throws SQLException {
        String type = result.getMetaData().getColumnTypeName(column);
        return switch (query.aggregates().get(column - 1)) {
            case SUM -> new MergedValue.Sum(type.equals("numeric"));
            case ANY -> new MergedValue.Any();
            case MIN -> new MergedValue.Extreme(KeyType.known(type), false);
            case MAX -> new MergedValue.Extreme(KeyType.known(type), true);
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
