package io.github.shardedid.operations.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs SQL on a connection that is otherwise in autocommit mode. */
public final class Sql {
    /** The state of a statement that has waited for a lock for as long as {@code lock_timeout}. */
    public static final String LOCK_NOT_AVAILABLE = "55P03";

    private Sql() {}

    /** Statements that run in a transaction. */
    @FunctionalInterface
    public interface Work {
        /** Runs; an exception rolls the transaction back. */
        void run() throws SQLException;
    }

    /** Statements that run in a transaction, with a result. */
    @FunctionalInterface
    public interface Query<T> {
        /** Runs; an exception rolls the transaction back. */
        T run() throws SQLException;
    }

    /** Reads from a connection, the current row of a result, or what has connections. */
    @FunctionalInterface
    public interface Reader<F, T> {
        /** Called once for each row. */
        T read(F from) throws SQLException;
    }

    /** Commits what the work did, or rolls it back and passes the exception on. */
    public static void transaction(Connection connection, Work work) throws SQLException {
        transaction(connection, () -> {
            work.run();
            return true;
        });
    }

    /** Commits what the query did and returns its result, or rolls it back and passes the exception on. */
    public static <T> T transaction(Connection connection, Query<T> query) throws SQLException {
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            T result = query.run();
            connection.commit();
            committed = true;
            return result;
        } finally {
            if (!connection.isClosed()) {
                if (!committed) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        }
    }

    /** Executes statements without parameters, separated by semicolons; nothing if the text is empty. */
    public static void execute(Connection connection, String sql) throws SQLException {
        if (sql.isEmpty()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    /** Executes statements one after the other in one round trip. */
    public static void execute(Connection connection, List<String> statements) throws SQLException {
        execute(connection, String.join(";\n", statements));
    }

    /** Returns all rows. A parameter may be a list of texts, for an array. */
    public static <T> List<T> query(
            Connection connection, String sql, Reader<ResultSet, T> reader, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(reader.read(row));
            }
        }
        return rows;
    }

    /** Returns the first row; null if there is none. */
    public static <T> @Nullable T first(
            Connection connection, String sql, Reader<ResultSet, T> reader, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = query(connection, sql, reader, parameters);
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** Returns all rows as the entries of a map, in the order of the rows. */
    public static <K, V> Map<K, V> map(
            Connection connection,
            String sql,
            Reader<ResultSet, Map.Entry<K, V>> reader,
            @Nullable Object... parameters)
            throws SQLException {
        Map<K, V> entries = new LinkedHashMap<>();
        query(connection, sql, reader, parameters).forEach(each -> entries.put(each.getKey(), each.getValue()));
        return entries;
    }

    /** Returns all rows, each column as text. */
    public static List<List<@Nullable String>> rows(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        return query(connection, sql, Sql::texts, parameters);
    }

    private static List<@Nullable String> texts(ResultSet row) throws SQLException {
        List<@Nullable String> texts = new ArrayList<>();
        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            texts.add(row.getString(column));
        }
        return texts;
    }

    /** Returns the first column of all rows; no value may be null. */
    public static List<String> strings(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        return query(connection, sql, row -> String.valueOf(row.getString(1)), parameters);
    }

    /** Returns the first column of the first row, or null if there is none. */
    public static @Nullable String text(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        return first(connection, sql, row -> row.getString(1), parameters);
    }

    /** Returns the first column of the first row as a number; 0 if there is none. */
    public static long number(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        String text = text(connection, sql, parameters);
        return text == null ? 0 : Long.parseLong(text);
    }

    /** Returns whether a query returns true. */
    public static boolean is(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        return "t".equals(text(connection, sql, parameters));
    }

    /** Runs a statement, and returns the number of rows that it has changed. */
    public static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] instanceof List<?> list) {
                statement.setArray(i + 1, connection.createArrayOf("text", list.toArray()));
            } else {
                statement.setObject(i + 1, parameters[i]);
            }
        }
        return statement;
    }

    /** Quotes an identifier. */
    public static String name(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** Quotes a string constant. */
    public static String literal(String text) {
        return (text.contains("\\") ? " E'" : "'") + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    /** Returns whether a lock of another session was the reason: {@code lock_timeout}, or a deadlock. */
    public static boolean isLocked(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
    }

    /** Returns the contents of a resource with SQL. */
    public static String load(Class<?> beside, String file) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
