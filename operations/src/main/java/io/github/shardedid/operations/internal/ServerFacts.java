package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Single values that a server is asked for. */
public final class ServerFacts {
    /** Counts the tables of all shards; a condition may be added. */
    public static final String SHARDS_TABLES = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname ~ '^shard_[0-9]{4,}$' AND c.relkind IN ('r', 'p')";

    private ServerFacts() {}

    public static String text(Connection connection, String sql) throws SQLException {
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }

    public static long number(Connection connection, String sql) throws SQLException {
        return Long.parseLong(text(connection, sql));
    }

    public static boolean truth(Connection connection, String sql) throws SQLException {
        return text(connection, sql).equals("t");
    }
}
