package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.Batches;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Sql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One of the two copies. Reads hashes of its rows over its own connection, which is opened when first needed. Its transactions have
 * settings under which equal rows have equal texts in both databases, and rows are found by an index on their key even if the statistics
 * are outdated.
 */
final class ComparedSide implements AutoCloseable {
    private static final int BATCH = 1_000;

    /** The function exists since PostgreSQL 16. */
    private static final String MAY_LOG_SNAPSHOT = Sql.load(ComparedSide.class, "may_log_snapshot.sql");

    private static final int CLOSING_MILLIS = 5_000;

    /** With row security off, rows that a policy hides raise an error. */
    private static final String SETTINGS = Sql.load(ComparedSide.class, "text_settings.sql");

    /** The schemas of the types of all columns: the operators of a type are usually in its schema. */
    private static final String SCHEMAS_OF_TYPES = Sql.load(ComparedSide.class, "schemas_of_types.sql");

    private final DataSource database;
    private String schema;
    private @Nullable Connection connection;
    private String path = "";
    private String snapshot = "";
    private int unlimited;

    ComparedSide(DataSource database, String schema) {
        this.database = database;
        this.schema = schema;
    }

    /** The number of rows and the sum of their hashes, in any order. */
    record Sum(long rows, BigDecimal hashes) {}

    /**
     * A range of keys. Each key is a list of texts.
     *
     * @param after the last key before the range; null if it begins with the first key
     * @param to the last key of the range; null if it has no end
     */
    record KeyRange(@Nullable List<String> after, @Nullable List<String> to) {
        /** The parameters of {@link #where}. */
        private Object[] bounds() {
            return Stream.of(after, to)
                    .filter(Objects::nonNull)
                    .flatMap(List::stream)
                    .toArray();
        }

        private String where(ComparedTable table) {
            String keys = table.columns();
            String values = table.parameters();
            return (after == null ? " WHERE true" : " WHERE (" + keys + ") > (" + values + ")")
                    + (to == null ? "" : " AND (" + keys + ") <= (" + values + ")");
        }
    }

    /** Sets the new name of the schema. */
    void renamed(String name) {
        schema = name;
    }

    String schema() {
        return schema;
    }

    /** Reads in a transaction, at whose end the settings of a pooled connection are restored. */
    <T> T read(Sql.Reader<Connection, T> reading) throws SQLException {
        Connection open = open();
        open.setAutoCommit(false);
        try {
            Sql.rows(open, SETTINGS, Sql.name(schema) + path);
            return reading.read(open);
        } finally {
            if (!open.isClosed()) {
                open.rollback();
                open.setAutoCommit(true);
            }
        }
    }

    /**
     * Flushes everything that is committed to disk. If permitted, also logs which transactions are running: the slot then continues
     * from this record next time, instead of reading the writes of the last seconds again.
     */
    void flush() throws SQLException {
        Connection open = open();
        Sql.rows(
                open,
                "SELECT set_config('synchronous_commit', 'local', true)" + snapshot
                        + ", pg_logical_emit_message(true, 'sharded_id', 'compared')");
    }

    /** Limits how long the server may be silent; 0 restores the limit of the connection. */
    void limitSilence(int millis) throws SQLException {
        open().setNetworkTimeout(Runnable::run, millis == 0 ? unlimited : millis);
    }

    private Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = database.getConnection();
            open.setAutoCommit(true);
            unlimited = open.getNetworkTimeout();
            SearchPath.pin(open);
            connection = open;
            snapshot = Sql.is(open, MAY_LOG_SNAPSHOT) ? ", pg_log_standby_snapshot()" : "";
            path = Sql.strings(open, SCHEMAS_OF_TYPES, schema).stream()
                    .map(name -> ", " + name)
                    .collect(Collectors.joining());
        }
        return open;
    }

    private String from(ComparedTable table) {
        return " FROM ONLY " + Sql.name(schema) + "." + Sql.name(table.name()) + " t";
    }

    /** The sum of a range's rows, or of all rows of a table without a key. */
    Sum sumOf(ComparedTable table, KeyRange range) throws SQLException {
        String sql = "SELECT count(*), coalesce(sum(" + table.hash() + "), 0)" + from(table)
                + (table.hasKey() ? range.where(table) : "");
        return rows(sql, row -> new Sum(row.getLong(1), row.getBigDecimal(2).stripTrailingZeros()), range)
                .get(0);
    }

    private <T> List<T> rows(String sql, Sql.Reader<ResultSet, T> reader, KeyRange range) throws SQLException {
        return read(open -> Sql.query(open, sql, reader, range.bounds()));
    }

    /** The hash of each row of a range, by its key. */
    Map<List<String>, Long> rowsOf(ComparedTable table, KeyRange range) throws SQLException {
        int width = table.key().size();
        return read(open -> Sql.map(
                open,
                "SELECT " + table.texts() + ", " + table.hash() + from(table) + range.where(table),
                row -> Map.entry(key(row, width), row.getLong(width + 1)),
                range.bounds()));
    }

    /** The hashes of the rows with these keys, without the keys that have no row. */
    Map<List<String>, Long> rowsWith(ComparedTable table, Collection<List<String>> keys) throws SQLException {
        String sql = "SELECT i.n, " + table.hash() + from(table) + table.join();
        Map<List<String>, Long> rows = new HashMap<>();
        for (List<List<String>> batch : Batches.of(keys, BATCH)) {
            Object[] columns = IntStream.range(0, table.key().size())
                    .mapToObj(column ->
                            batch.stream().map(each -> each.get(column)).toList())
                    .toArray();
            rows.putAll(read(open ->
                    Sql.map(open, sql, row -> Map.entry(batch.get(row.getInt(1) - 1), row.getLong(2)), columns)));
        }
        return rows;
    }

    /** The key of the row with this number, counted from 1, in a range; null if the range has fewer rows. */
    @Nullable
    List<String> keyAfter(ComparedTable table, KeyRange range, int rows) throws SQLException {
        int width = table.key().size();
        String sql = "SELECT " + table.texts() + from(table) + range.where(table) + " ORDER BY " + table.columns()
                + " OFFSET " + (rows - 1) + " LIMIT 1";
        List<List<String>> found = rows(sql, row -> key(row, width), range);
        return found.isEmpty() ? null : found.get(0);
    }

    /** Returns whether a range ends after its beginning also in this database, which may sort texts in another way. */
    boolean inOrder(ComparedTable table, KeyRange range) throws SQLException {
        String values = table.parameters();
        return range.after() == null
                || range.to() == null
                || read(open -> Sql.is(open, "SELECT (" + values + ") < (" + values + ")", range.bounds()));
    }

    private static List<String> key(ResultSet row, int width) throws SQLException {
        List<String> key = new ArrayList<>(width);
        for (int i = 1; i <= width; i++) {
            key.add(row.getString(i));
        }
        return List.copyOf(key);
    }

    @Override
    public void close() throws SQLException {
        try (Connection open = connection) {
            if (open != null && !open.isClosed()) {
                limitSilence(CLOSING_MILLIS);
                SearchPath.release(open);
                limitSilence(0);
            }
        }
    }
}
