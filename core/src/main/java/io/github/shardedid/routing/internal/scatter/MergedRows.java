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
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several statements as one forward-only result, each of which is in the requested order; without
 * one, statement after statement. Values are read from the driver's own results, so that they are converted as
 * ever. For one thread at a time.
 *
 * <ol>
 *   <li>Each statement has a cursor at its next row. With an order, a queue has the cursor with the least row
 *       first.
 *   <li>To advance, the current cursor moves to its next row and goes back into the queue, and the first one is
 *       taken. The row is read from the statement's own result, so it must not move earlier.
 * </ol>
 */
final class MergedRows implements InvocationHandler {
    /** The application's statement. */
    private final Object statement;

    private final ScatterRun run;
    /** The result of the first statement, which answers for the columns of all. */
    private final ResultSet first;
    /** The number of columns at the end that only carry sort keys. */
    private final int hiddenColumns;
    /** The number of rows after which no more are returned, skipped ones included. */
    private final long limit;

    private final @Nullable SortOrder order;
    /** The cursors that have a row, but for the current one. */
    private final Queue<Cursor> cursors;
    /** The cursor whose row is the current one; null before the first row and after the last. */
    private @Nullable Cursor current;
    /** The number of steps so far. */
    private long count;

    private boolean closed;
    private int row;
    private boolean ended;

    /**
     * Creates the result.
     *
     * @param order the order that the rows of each statement have; null for none, or if there is one statement
     * @param hidden the number of columns at the end that only carry sort keys
     * @param limit the highest number of rows, skipped ones included
     */
    MergedRows(Object statement, ScatterRun run, List<Part> parts, @Nullable SortOrder order, int hidden, long limit)
            throws SQLException {
        this.statement = statement;
        this.run = run;
        this.first = parts.get(0).rows();
        this.hiddenColumns = hidden;
        this.limit = limit;
        this.order = order;
        cursors = order == null ? new ArrayDeque<>() : new PriorityQueue<>(this::compare);
        for (Part part : parts) {
            offer(new Cursor(part));
        }
    }

    /** Returns this as a result of JDBC. */
    ResultSet proxy() {
        return (ResultSet)
                Proxy.newProxyInstance(MergedRows.class.getClassLoader(), new Class<?>[] {ResultSet.class}, this);
    }

    /** Skips rows of an OFFSET. The shards send these rows, as each of them may come first. */
    void skip(long rows) throws SQLException {
        long skipped = 0;
        while (skipped < rows && advance()) {
            skipped++;
        }
    }

    /** The rows of a statement, at one of them. */
    private static final class Cursor {
        final Part part;

        /** The sort keys of the row; without an order none. */
        @Nullable
        Comparable<?>[] keys = {};

        Cursor(Part part) {
            this.part = part;
        }

        /** Moves to the next row, which may have to be fetched. */
        boolean next() throws SQLException {
            try {
                return part.rows().next();
            } catch (SQLException e) {
                throw ScatterFailures.reading(part.chunk(), e);
            }
        }
    }

    /**
     * Compares two rows. Equal ones come in the order of their statements, so that the order is the same each
     * time.
     */
    private int compare(Cursor a, Cursor b) {
        int result = order == null ? 0 : order.compare(a.keys, b.keys);
        return result != 0
                ? result
                : Integer.compare(a.part.chunk().number(), b.part.chunk().number());
    }

    /** Moves a cursor to its next row, and puts it among the others if there is one. */
    private void offer(Cursor cursor) throws SQLException {
        if (cursor.next()) {
            if (order != null) {
                cursor.keys = order.keysOf(cursor.part);
            }
            cursors.add(cursor);
        }
    }

    /**
     * Moves to the next row of all.
     *
     * @return false behind the last one
     * @throws SQLException if the query was cancelled meanwhile
     */
    private boolean advance() throws SQLException {
        run.requireNotStopped();
        Cursor last = current;
        current = null;
        if (count >= limit) {
            return false;
        }
        if (last != null && order == null && last.next()) {
            current = last;
        } else {
            if (last != null && order != null) {
                offer(last);
            }
            current = cursors.poll();
        }
        count++;
        return current != null;
    }

    /** Returns the cursor at the current row. */
    private Cursor current() throws SQLException {
        Cursor cursor = current;
        if (cursor == null || row == 0) {
            throw new SQLException("There is no current row: call next() first, and stop when it says false.", "24000");
        }
        return cursor;
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
            case "unwrap" -> Unwrapping.of(proxy, arguments == null ? null : arguments[0]);
            case "isWrapperFor" -> arguments != null && Unwrapping.isPossible(proxy, arguments[0]);
            default -> open(method, arguments);
        };
    }

    /**
     * Answers a call of an open result. Everything that is not known is refused, as the driver's result would
     * answer for one statement only.
     */
    private @Nullable Object open(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (closed) {
            throw new SQLException("The result is closed.", "24000");
        }
        String name = method.getName();
        return switch (name) {
            case "next" -> next();
            case "wasNull" -> current().part.rows().wasNull();
            case "getStatement" -> statement;
            case "getMetaData" -> metaData();
            case "findColumn" -> DriverCall.forward(first, method, arguments);
            case "getRow" -> ended ? 0 : row;
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
                yield DriverCall.forward(current().part.rows(), method, arguments);
            }
        };
    }

    private boolean next() throws SQLException {
        if (!ended && advance()) {
            row++;
            return true;
        }
        ended = true;
        return false;
    }

    /** Returns the metadata without the columns that carry the sort keys. */
    private ResultSetMetaData metaData() throws SQLException {
        ResultSetMetaData columns = first.getMetaData();
        return hiddenColumns == 0
                ? columns
                : (ResultSetMetaData) Proxy.newProxyInstance(
                        MergedRows.class.getClassLoader(),
                        new Class<?>[] {ResultSetMetaData.class},
                        (proxy, method, arguments) -> method.getName().equals("getColumnCount")
                                ? (Object) (columns.getColumnCount() - hiddenColumns)
                                : DriverCall.forward(columns, method, arguments));
    }
}
