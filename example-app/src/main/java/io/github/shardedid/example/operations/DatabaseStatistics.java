package io.github.shardedid.example.operations;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Queries the statistics of one database, on a connection outside of the pools. Not thread-safe. */
final class DatabaseStatistics {
    private static final String QUERY = "SELECT substr(n.nspname, 7)::int, sum(pg_total_relation_size(c.oid)),"
            + " sum(pg_stat_get_live_tuples(c.oid)),"
            + " sum(pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid)"
            + " + pg_stat_get_tuples_deleted(c.oid))"
            + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname ~ '^shard_[0-9]{4,}$' AND c.relkind = 'r' GROUP BY n.nspname";

    private final String url;
    private final Properties login = new Properties();
    private @Nullable Connection connection;

    DatabaseStatistics(ShardedIdProperties.Database database) {
        this.url = String.valueOf(database.url());
        put("user", database.username());
        put("password", database.password());
        put("connectTimeout", "2");
        put("socketTimeout", "3");
        put("ApplicationName", "operations page");
    }

    private void put(String name, @Nullable String value) {
        if (value != null) {
            login.put(name, value);
        }
    }

    /** The statistics of a shard's tables: bytes including indexes, estimated rows, and the total number of writes. */
    record Counted(long bytes, long rows, long writes) {}

    /** Returns the statistics by shard, including fenced copies; null if the query failed. */
    @Nullable
    Map<Integer, Counted> read() {
        try (Statement statement = connected().createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            Map<Integer, Counted> counted = new HashMap<>();
            while (rows.next()) {
                counted.put(rows.getInt(1), new Counted(rows.getLong(2), rows.getLong(3), rows.getLong(4)));
            }
            return counted;
        } catch (SQLException e) {
            close();
            return null;
        }
    }

    private Connection connected() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = DriverManager.getConnection(url, login);
            connection = open;
        }
        return open;
    }

    void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // The connection is already broken.
            }
        }
    }
}
