package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.internal.changes.Changes.Kind;
import io.github.shardedid.move.internal.changes.Relation;
import io.github.shardedid.move.internal.journal.Tables;
import io.github.shardedid.operations.internal.Sql;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes changes of rows by statements, in batches of the same text. Values are sent as text of no type: the columns say which. */
final class RowWriter {
    private static final int BATCH = 500;

    private final Connection target;
    private final String schema;
    private String sql = "";
    private @Nullable PreparedStatement batch;
    private int size;

    RowWriter(Connection target, String schema) {
        this.target = target;
        this.schema = schema;
    }

    void write(
            Kind kind,
            Relation relation,
            @Nullable Map<String, @Nullable String> before,
            @Nullable Map<String, @Nullable String> after)
            throws SQLException {
        List<@Nullable String> values = new ArrayList<>();
        String table = Tables.qualified(schema, relation.name());
        String only = "ONLY " + table; // another table that inherits from it has changes of its own
        String statement =
                switch (kind) {
                    case INSERT -> insert(table, Objects.requireNonNull(after), values);
                    case UPDATE ->
                        "UPDATE " + only + " SET " + assignments(Objects.requireNonNull(after), values) + " WHERE "
                                + condition(only, relation, before == null ? after : before, values);
                    case DELETE ->
                        "DELETE FROM " + only + " WHERE "
                                + condition(only, relation, Objects.requireNonNull(before), values);
                };
        add(statement, values);
    }

    private static String insert(String table, Map<String, @Nullable String> row, List<@Nullable String> values) {
        values.addAll(row.values());
        return "INSERT INTO " + table
                + row.keySet().stream().map(Sql::name).collect(Collectors.joining(", ", " (", ")")) + " VALUES ("
                + String.join(", ", row.keySet().stream().map(column -> "?").toList()) + ")";
    }

    private static String assignments(Map<String, @Nullable String> row, List<@Nullable String> values) {
        values.addAll(row.values());
        return row.keySet().stream().map(column -> Sql.name(column) + " = ?").collect(Collectors.joining(", "));
    }

    /** Of equal rows without a key, one. */
    private static String condition(
            String table, Relation relation, Map<String, @Nullable String> row, List<@Nullable String> values) {
        List<String> conditions = new ArrayList<>();
        for (String column : relation.key()) {
            String name = Sql.name(column);
            String value = row.get(column);
            if (value == null) {
                conditions.add(name + " IS NULL");
            } else {
                // As it is printed: not each type can be compared, and a cast to text removes spaces of char(n).
                conditions.add(relation.full() ? "pg_catalog.format('%s', " + name + ") = ?" : name + " = ?");
                values.add(value);
            }
        }
        String all = String.join(" AND ", conditions);
        return relation.full() ? "ctid = (SELECT ctid FROM " + table + " WHERE " + all + " LIMIT 1)" : all;
    }

    private void add(String statement, List<@Nullable String> values) throws SQLException {
        if (!statement.equals(sql) || size >= BATCH) {
            flush();
            sql = statement;
        }
        PreparedStatement open = batch;
        if (open == null) {
            open = target.prepareStatement(statement);
            batch = open;
        }
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            if (value == null) {
                open.setNull(i + 1, Types.OTHER);
            } else {
                open.setObject(i + 1, value, Types.OTHER);
            }
        }
        open.addBatch();
        size++;
    }

    void truncate(List<Relation> relations) throws SQLException {
        flush();
        Sql.execute(
                target,
                "TRUNCATE ONLY "
                        + relations.stream()
                                .map(relation -> Tables.qualified(schema, relation.name()))
                                .collect(Collectors.joining(", ONLY ")));
    }

    /** Executes what was added. Each change concerns one row: otherwise the copies are not the same, and nothing may be guessed. */
    void flush() throws SQLException {
        try (PreparedStatement open = batch) {
            if (open != null && Arrays.stream(open.executeBatch()).anyMatch(rows -> rows == 0 || rows > 1)) {
                throw new SQLException(
                        "A row that was changed at the source does not exist once at the target: " + sql);
            }
        } catch (BatchUpdateException e) {
            // Its own message contains the rows.
            throw e.getNextException() == null
                    ? new SQLException("A change failed: " + sql, e.getSQLState())
                    : e.getNextException();
        } finally {
            batch = null;
            size = 0;
            sql = "";
        }
    }
}
