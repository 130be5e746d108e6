package io.github.shardedid.routing.internal.sql.query;

import static java.util.stream.Collectors.joining;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlFile;
import io.github.shardedid.routing.internal.sql.grammar.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns of a table as one schema has them. Immutable.
 *
 * <p>Shards have the same columns except while they are migrated. Each execution verifies that, by a condition
 * that PostgreSQL analyses and never computes, so that it costs no round trip.
 *
 * @param isTable false of a view and the like
 * @param columns by name, in their order
 */
public record TableColumns(boolean isTable, Map<String, Column> columns) {
    /**
     * Reads the columns. A type that a shard's schema has for itself is the same as that of this name in
     * another shard's. For each column it returns two expressions that PostgreSQL compares only if the type is
     * the same, as it does with arrays.
     */
    private static final String COLUMNS = SqlFile.read(TableColumns.class, "columns.sql");

    /**
     * A column.
     *
     * @param value an expression of the column's type, or of an array of it
     * @param expected one that PostgreSQL cannot compare with it unless the type is the same
     * @param notNull whether it is never null
     */
    public record Column(String value, String expected, boolean notNull) {}

    /** Returns tables by their real schemas. */
    static Map<TableName, TableColumns> read(
            Connection connection, Collection<String> schemas, Collection<TableName> names) throws SQLException {
        Map<TableName, TableColumns> tables = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, SchemaPlaceholder.OF_SHARD);
            statement.setArray(2, connection.createArrayOf("text", schemas.toArray()));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "text", names.stream().map(TableName::name).toArray()));
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                boolean isTable = rows.getBoolean(3);
                tables.computeIfAbsent(
                                new TableName(rows.getString(1), rows.getString(2)),
                                name -> new TableColumns(isTable, new LinkedHashMap<>()))
                        .columns
                        .put(rows.getString(4), new Column(rows.getString(5), rows.getString(6), rows.getBoolean(7)));
            }
        }
        return tables;
    }

    /**
     * Returns a condition that PostgreSQL cannot read unless a table is like this one. It is read again
     * whenever the table has changed, and never computed.
     *
     * @param names the columns that must be the same, as far as the table has them
     * @param all whether it must have these columns alone
     * @param asTable whether it must be no view
     */
    String check(TableName table, Set<String> names, boolean all, boolean asTable) {
        StringBuilder sql = new StringBuilder("exists (select ").append(asTable ? "t.ctid" : "1");
        sql.append(" from ").append(table.sql()).append(" t");
        List<Column> used = columns.entrySet().stream()
                .filter(column -> names.contains(column.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        if (!used.isEmpty()) {
            sql.append(" where (")
                    .append(used.stream().map(Column::value).collect(joining(", ")))
                    .append(") = (")
                    .append(used.stream().map(Column::expected).collect(joining(", ")))
                    .append(")");
        }
        sql.append(')');
        if (all) {
            String nulls = columns.keySet().stream().map(name -> "null").collect(joining(", "));
            sql.append(" and exists (select * from " + table.sql() + " union all select " + nulls + ")");
        }
        return sql.toString();
    }
}
