package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.statement.DriverCall;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Rows of statements that are each in the requested order; without one, statement after statement.
 *
 * <ol>
 *   <li>Each statement has a cursor at its next row. With an order, a queue has the cursor with the least row first.
 *   <li>To advance, the current cursor moves to its next row and goes back into the queue, and the first one is taken. The row is read
 *       from the statement's own result, so it must not move earlier.
 *   <li>If entities are counted instead of rows, rows of other entities are skipped. A limit cannot be a part of the statements then, as a shard
 *       does not know how many entities of other shards come before its own.
 * </ol>
 */
final class MergedRows extends MergedResult {
    private final long limit;
    private final @Nullable SortOrder order;
    private final ScatterRun run;
    private final Queue<Cursor> cursors;
    private @Nullable Cursor current;
    private long count;
    /** If entities are counted, not rows: the first of the columns that distinguish them, and which are wanted. */
    private int rootColumn;

    private long firstRoot;
    private long lastRoot;
    private final Map<String, Integer> roots = new HashMap<>();

    /** With the order that the rows have, if there are several statements with one, and how many there are at most. */
    MergedRows(Object statement, ScatterRun run, List<Part> parts, @Nullable SortOrder order, int hidden, long limit)
            throws SQLException {
        super(statement, run, parts, hidden);
        this.limit = limit;
        this.order = order;
        this.run = run;
        cursors = order == null ? new ArrayDeque<>() : new PriorityQueue<>(this::compare);
        for (Part part : parts) {
            offer(new Cursor(part));
        }
    }

    /** Returns the rows of some roots only, in their order; their first hidden columns tell them apart. */
    void ofRoots(int column, ScatterBounds bounds) {
        rootColumn = column;
        firstRoot = bounds.offset();
        lastRoot = bounds.offset() + bounds.wanted() - 1;
    }

    /** The shards send these rows, as each of them may come first. */
    void skip(long rows) throws SQLException {
        boolean more = true;
        for (long i = 0; i < rows && more; i++) {
            more = advance();
        }
    }

    /** A statement's rows, at one of them. */
    private static final class Cursor {
        final int number;
        final ResultSet rows;
        private final Part part;

        @Nullable
        Comparable<?>[] keys = {};

        Cursor(Part part) {
            this.part = part;
            number = part.chunk().number();
            rows = part.rows();
        }

        /** May have to fetch the row. */
        boolean next() throws SQLException {
            try {
                return rows.next();
            } catch (SQLException e) {
                throw ScatterFailures.reading(part.chunk(), e);
            }
        }
    }

    /** Equal rows come in the order of their statements, so that the order is the same each time. */
    private int compare(Cursor a, Cursor b) {
        int result = order == null ? 0 : order.compare(a.keys, b.keys);
        return result != 0 ? result : Integer.compare(a.number, b.number);
    }

    private void offer(Cursor cursor) throws SQLException {
        if (cursor.next()) {
            if (order != null) {
                cursor.keys = order.keysOf(cursor.part);
            }
            cursors.add(cursor);
        }
    }

    @Override
    boolean advance() throws SQLException {
        boolean found = step();
        while (found && rootColumn > 0 && !isOfRoot(current())) {
            count--;
            found = step();
        }
        return found;
    }

    private boolean isOfRoot(Cursor cursor) throws SQLException {
        String row = cursor.part.chunk().database() + " " + cursor.rows.getString(rootColumn) + " "
                + cursor.rows.getString(rootColumn + 1);
        int number = roots.computeIfAbsent(row, root -> roots.size());
        return number >= firstRoot && number <= lastRoot;
    }

    private boolean step() throws SQLException {
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

    private Cursor current() throws SQLException {
        Cursor cursor = current;
        if (cursor == null) {
            throw new SQLException("There is no current row.", "24000");
        }
        return cursor;
    }

    @Override
    @Nullable
    Object read(Method method, @Nullable Object[] arguments) throws Throwable {
        return DriverCall.forward(current().rows, method, arguments);
    }

    @Override
    boolean wasNull() throws SQLException {
        return current().rows.wasNull();
    }
}
