package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.statement.DriverCall;
import io.github.shardedid.routing.internal.statement.Unwrapping;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several statements as one forward-only result. Values are read from the driver's own results, so that they
 * are converted as ever.
 */
abstract class MergedResult implements InvocationHandler {
    private final Object statement;
    private final ScatterRun run;
    private final ResultSet first;
    private final int hiddenColumns;
    private boolean closed;
    private int row;
    private boolean ended;
    /** True if the first row was read before it was asked for. */
    private boolean ahead;

    MergedResult(Object statement, ScatterRun run, List<Part> parts, int hiddenColumns) {
        this.statement = statement;
        this.run = run;
        this.first = parts.get(0).rows();
        this.hiddenColumns = hiddenColumns;
    }

    /** This as a result of JDBC. */
    final ResultSet proxy() {
        return (ResultSet)
                Proxy.newProxyInstance(MergedResult.class.getClassLoader(), new Class<?>[] {ResultSet.class}, this);
    }

    /** Moves to the next row; false at the end. */
    abstract boolean advance() throws SQLException;

    /** Reads a value of the current row. */
    abstract @Nullable Object read(Method method, @Nullable Object[] arguments) throws Throwable;

    /** Returns whether the value that was read last was null. */
    abstract boolean wasNull() throws SQLException;

    ResultSet first() {
        return first;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "close" -> {
                closed = true;
                run.close();
                yield null;
            }
            case "isClosed" -> closed;
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> "rows of several shards";
            case "unwrap" -> Unwrapping.of(proxy, null, arguments == null ? null : arguments[0]);
            case "isWrapperFor" -> arguments != null && Unwrapping.isPossible(proxy, null, arguments[0]);
            default -> open(method, arguments);
        };
    }

    private @Nullable Object open(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (closed) {
            throw new SQLException("The result is closed.", "24000");
        }
        String name = method.getName();
        return switch (name) {
            case "next" -> next();
            case "wasNull" -> wasNull();
            case "getStatement" -> statement;
            case "getMetaData" -> metaData();
            case "findColumn" -> DriverCall.forward(first, method, arguments);
            case "getRow" -> ended ? 0 : row;
            case "isBeforeFirst" -> row == 0 && hasFirst();
            case "isFirst" -> row == 1 && !ended;
            case "isAfterLast" -> ended && row > 0;
            case "getType" -> ResultSet.TYPE_FORWARD_ONLY;
            case "getConcurrency" -> ResultSet.CONCUR_READ_ONLY;
            case "getHoldability" -> ResultSet.CLOSE_CURSORS_AT_COMMIT;
            case "getFetchDirection" -> ResultSet.FETCH_FORWARD;
            case "getFetchSize" -> 0;
            case "getWarnings", "clearWarnings", "setFetchSize", "setFetchDirection" -> null;
            default -> {
                if (!name.startsWith("get") || arguments == null) {
                    throw new SQLFeatureNotSupportedException(
                            name + " is not possible on the rows of several shards, which are read forward once.");
                }
                yield value(method, arguments);
            }
        };
    }

    /** Returns whether there is a row at all: an empty result has no position before its first row. */
    private boolean hasFirst() throws SQLException {
        if (!ended && !ahead) {
            ahead = advance();
            ended = !ahead;
        }
        return ahead;
    }

    private boolean next() throws SQLException {
        if (!ended && (ahead || advance())) {
            ahead = false;
            row++;
            return true;
        }
        ended = true;
        return false;
    }

    private @Nullable Object value(Method method, @Nullable Object[] arguments) throws Throwable {
        if (row == 0 || ended) {
            throw new SQLException("There is no current row: call next() first, and stop when it says false.", "24000");
        }
        return read(method, arguments);
    }

    /** Returns the metadata without the columns that carry the sort keys. */
    private ResultSetMetaData metaData() throws SQLException {
        ResultSetMetaData columns = first.getMetaData();
        return hiddenColumns == 0
                ? columns
                : (ResultSetMetaData) Proxy.newProxyInstance(
                        MergedResult.class.getClassLoader(),
                        new Class<?>[] {ResultSetMetaData.class},
                        (proxy, method, arguments) -> method.getName().equals("getColumnCount")
                                ? (Object) (columns.getColumnCount() - hiddenColumns)
                                : DriverCall.forward(columns, method, arguments));
    }
}
