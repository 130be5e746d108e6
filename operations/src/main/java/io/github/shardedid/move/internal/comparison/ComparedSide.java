package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.Sql;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of both copies. Reads hashes of its rows over a connection of its own, opened when it is first needed. */
final class ComparedSide implements AutoCloseable {
    private static final int FETCH = 5_000;
    /** Since PostgreSQL 16. */
    private static final String MAY_LOG_SNAPSHOT =
            "SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'pg_log_standby_snapshot'"
                    + " AND pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege(oid, 'EXECUTE'))";

    private final ConnectionSource connections;
    private String schema;
    private @Nullable Connection connection;
    private @Nullable List<String> schemasOfTypes;
    private @Nullable String snapshot;

    ComparedSide(ConnectionSource connections, String schema) {
        this.connections = connections;
        this.schema = schema;
    }

    /** What is read in one transaction. */
    @FunctionalInterface
    interface Reading<T> {
        T read(Connection connection) throws SQLException;
    }

    /** The schema has another name from now on. */
    void renamed(String name) {
        schema = name;
    }

    String schema() {
        return schema;
    }

    /** In a transaction of its own, so that the settings do not outlast it in a pooled connection. */
    <T> T read(Reading<T> reading) throws SQLException {
        Connection open = open();
        open.setAutoCommit(false);
        try {
            if (schemasOfTypes == null) {
                schemasOfTypes = ComparisonSettings.schemasOfTypes(open, schema);
            }
            ComparisonSettings.apply(open, schema, schemasOfTypes);
            return reading.read(open);
        } finally {
            if (!open.isClosed()) {
                open.rollback();
                open.setAutoCommit(true);
            }
        }
    }

    /**
     * Makes sure that all that has been committed is on the disk. Also logs which transactions are running, where that is allowed:
     * a slot that is read beyond such a record begins there next time, and not seconds of writes earlier.
     */
    void flush() throws SQLException {
        if (snapshot == null) {
            snapshot = Sql.is(open(), MAY_LOG_SNAPSHOT) ? ", pg_log_standby_snapshot()" : "";
        }
        try (PreparedStatement commit = open().prepareStatement("SELECT set_config('synchronous_commit', 'local', true)"
                + snapshot + ", pg_logical_emit_message(true, 'sharded_id', 'compared')")) {
            commit.executeQuery().close();
        }
    }

    private Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = connections.open();
            open.setAutoCommit(true);
            SearchPath.pin(open);
            connection = open;
        }
        return open;
    }

    BagHash hashOf(ComparedTable table, KeyRange range) throws SQLException {
        return read(open -> {
            try (PreparedStatement select = open.prepareStatement(new RowQueries(schema, table).hashOf(range))) {
                bind(select, range);
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    return new BagHash(row.getLong(1), plain(row.getBigDecimal(2)));
                }
            }
        });
    }

    private static BigDecimal plain(BigDecimal sum) {
        return sum.stripTrailingZeros();
    }

    Map<List<String>, RowHash> rowsOf(ComparedTable table, KeyRange range) throws SQLException {
        int width = table.key().size();
        return read(open -> {
            Map<List<String>, RowHash> rows = new HashMap<>();
            try (PreparedStatement select = open.prepareStatement(new RowQueries(schema, table).rowsOf(range))) {
                bind(select, range);
                select.setFetchSize(FETCH);
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        rows.put(key(row, width), new RowHash(row.getLong(width + 1)));
                    }
                }
            }
            return rows;
        });
    }

    /** The hashes of those of the keys that have a row. */
    Map<List<String>, RowHash> rowsWith(ComparedTable table, List<List<String>> keys) throws SQLException {
        return read(open -> {
            Map<List<String>, RowHash> rows = new HashMap<>();
            try (PreparedStatement select = open.prepareStatement(new RowQueries(schema, table).rowsWithKeys())) {
                for (int column = 0; column < table.key().size(); column++) {
                    int position = column;
                    Object[] texts = keys.stream().map(key -> key.get(position)).toArray();
                    select.setArray(column + 1, open.createArrayOf("text", texts));
                }
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        rows.put(keys.get(row.getInt(1) - 1), new RowHash(row.getLong(2)));
                    }
                }
            }
            return rows;
        });
    }

    /** The key so many rows after the range's beginning; empty if there are fewer. */
    Optional<List<String>> keyAfter(ComparedTable table, KeyRange range, int rows) throws SQLException {
        return read(open -> {
            try (PreparedStatement select =
                    open.prepareStatement(new RowQueries(schema, table).keyAfter(range, rows))) {
                bind(select, range);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? Optional.of(key(row, table.key().size())) : Optional.empty();
                }
            }
        });
    }

    /** Whether the range's end comes after its beginning here, where texts may be sorted in another way. */
    boolean inOrder(ComparedTable table, KeyRange range) throws SQLException {
        return range.after() == null
                || range.to() == null
                || read(open -> {
                    try (PreparedStatement select = open.prepareStatement(new RowQueries(schema, table).inOrder())) {
                        bind(select, range);
                        try (ResultSet row = select.executeQuery()) {
                            row.next();
                            return row.getBoolean(1);
                        }
                    }
                });
    }

    private static void bind(PreparedStatement select, KeyRange range) throws SQLException {
        List<String> values = new ArrayList<>();
        if (range.after() != null) {
            values.addAll(range.after());
        }
        if (range.to() != null) {
            values.addAll(range.to());
        }
        for (int i = 0; i < values.size(); i++) {
            select.setString(i + 1, values.get(i));
        }
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
        if (connection != null) {
            Connection open = connection;
            connection = null;
            try (open) {
                if (!open.isClosed()) {
                    SearchPath.release(open);
                }
            }
        }
    }
}
