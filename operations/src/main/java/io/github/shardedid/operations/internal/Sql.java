package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short ways to run SQL on a connection that is otherwise in autocommit mode. */
public final class Sql {
    private Sql() {}

    /** What is done in a transaction. */
    @FunctionalInterface
    public interface Work {
        void run() throws SQLException;
    }

    /** Commits what the work did, or rolls it back and passes the exception on. */
    public static void transaction(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            work.run();
            connection.commit();
            committed = true;
        } finally {
            if (!connection.isClosed()) {
                if (!committed) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        }
    }

    /** Statements without parameters, separated by semicolons; nothing if the text is empty. */
    public static void execute(Connection connection, String sql) throws SQLException {
        if (sql.isEmpty()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    /** The same, one after the other in one turn. */
    public static void execute(Connection connection, List<String> statements) throws SQLException {
        execute(connection, String.join(";\n", statements));
    }

    /** All rows, each column as text. */
    public static List<List<@Nullable String>> rows(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet row = statement.executeQuery()) {
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                List<@Nullable String> values = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    values.add(row.getString(column));
                }
                rows.add(values);
            }
        }
        return rows;
    }

    /** The first column of all rows; no value may be null. */
    public static List<String> strings(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        return rows(connection, sql, parameters).stream()
                .map(row -> String.valueOf(row.get(0)))
                .toList();
    }

    /** The first column of the first row, or null if there is none. */
    public static @Nullable String text(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        List<List<@Nullable String>> rows = rows(connection, sql, parameters);
        return rows.isEmpty() ? null : rows.get(0).get(0);
    }

    /** The same as a number; 0 if there is none. */
    public static long number(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        String text = text(connection, sql, parameters);
        return text == null ? 0 : Long.parseLong(text);
    }

    /** Whether a query says true. */
    public static boolean is(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        return "t".equals(text(connection, sql, parameters));
    }

    /** How many rows a statement has changed. */
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

    /** An identifier in quotes. */
    public static String name(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** A text as SQL writes it. */
    public static String literal(String text) {
        return (text.contains("\\") ? " E'" : "'") + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
