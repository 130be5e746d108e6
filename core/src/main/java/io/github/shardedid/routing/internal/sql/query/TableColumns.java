package io.github.shardedid.routing.internal.sql.query;

import static java.util.stream.Collectors.joining;

import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table as one schema has them. Immutable.
 *
 * @param isTable false of a view and the like
 * @param columns by name, in their order
 */
public record TableColumns(boolean isTable, Map<String, Column> columns) {
    /** A type that a shard's schema has for itself is the same as that of this name in another shard's. */
    private static final String COLUMNS =
            """
            select n.nspname, c.relname, c.relkind in ('r', 'p'), a.attname,
                   case when s.nspname in (n.nspname, 'pg_catalog') then '' else s.nspname || '.' end || t.typname
                       || coalesce(' over ' || pg_catalog.format_type(nullif(t.typbasetype, 0), null), ''),
                   t.typarray = 0 and t.typelem <> 0, nullif(s.nspname, n.nspname),
                   case when t.typarray = 0 and t.typelem <> 0 then t.typname else e.typname end,
                   a.attnotnull
              from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
              left join pg_catalog.pg_type t on t.oid = a.atttypid
              left join pg_catalog.pg_namespace s on s.oid = t.typnamespace
              left join pg_catalog.pg_type e on e.oid = t.typarray
             where n.nspname = any (?) and c.relname = any (?) and c.relkind in ('r', 'p', 'v', 'm', 'f')
             order by a.attnum""";

    /**
     * A column.
     *
     * @param type for comparisons and messages
     * @param isArray whether the type is that of an array
     * @param schema the type's schema; null for the table's own
     * @param array the name of the type of an array of it, or of itself if it is one; null if there is none
     * @param notNull whether it is never null
     */
    public record Column(
            String type, boolean isArray, @Nullable String schema, @Nullable String array, boolean notNull) {
        private static Column of(ResultSet row) throws SQLException {
            return new Column(
                    row.getString(5), row.getBoolean(6), row.getString(7), row.getString(8), row.getBoolean(9));
        }

        private String left(String name) {
            String column = "t." + TableName.quoted(name);
            return array == null ? column + " is null" : isArray ? column : "array[" + column + "]";
        }

        private String right() {
            return array == null
                    ? "true"
                    : "null::" + new TableName(schema == null ? SchemaPlaceholder.OF_SHARD : schema, array).sql();
        }
    }

    /** Tables, by their real schemas, in those of some shards. */
    static Map<TableName, TableColumns> read(
            Connection connection, Collection<String> shardSchemas, Collection<TableName> names) throws SQLException {
        Set<String> schemas = new HashSet<>(shardSchemas);
        names.stream().filter(name -> !name.isSharded()).forEach(name -> schemas.add(name.schema()));
        Map<TableName, TableColumns> tables = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setArray(1, connection.createArrayOf("text", schemas.toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text", names.stream().map(TableName::name).toArray()));
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                boolean isTable = rows.getBoolean(3);
                TableColumns table = tables.computeIfAbsent(
                        new TableName(rows.getString(1), rows.getString(2)),
                        name -> new TableColumns(isTable, new LinkedHashMap<>()));
                if (rows.getString(4) != null) {
                    table.columns.put(rows.getString(4), Column.of(rows));
                }
            }
        }
        tables.replaceAll((name, table) -> new TableColumns(table.isTable, Collections.unmodifiableMap(table.columns)));
        return tables;
    }

    /**
     * Returns a condition that PostgreSQL cannot read unless a table is like this one. It is read again whenever the table has changed, and
     * never computed.
     */
    String check(TableName table, Uses uses) {
        StringBuilder sql = new StringBuilder("exists (select ").append(uses.asTable ? "t.ctid" : "1");
        sql.append(" from ").append(table.sql()).append(" t");
        List<String> left = new ArrayList<>();
        List<String> right = new ArrayList<>();
        columns.forEach((name, column) -> {
            if (uses.names.contains(name)) {
                left.add(column.left(name));
                right.add(column.right());
            }
        });
        if (!left.isEmpty()) {
            sql.append(" where (" + String.join(", ", left) + ") = (" + String.join(", ", right) + ")");
        }
        sql.append(')');
        if (uses.all) {
            String nulls = columns.keySet().stream().map(name -> "null").collect(joining(", "));
            sql.append(" and exists (select * from " + table.sql() + " union all select " + nulls + ")");
        }
        return sql.toString();
    }

    /** Returns what differs from another schema's table of that name in what a query uses: how it is here, and there; null if nothing. */
    Map.@Nullable Entry<String, String> difference(TableColumns other, Uses uses) {
        if (uses.asTable && isTable != other.isTable) {
            return Map.entry(
                    isTable ? "rows of its own" : "the rows of a view",
                    other.isTable ? "rows of its own" : "the rows of a view");
        }
        Set<String> names = new TreeSet<>(uses.names);
        if (uses.all) {
            names.addAll(columns.keySet());
            names.addAll(other.columns.keySet());
        }
        for (String name : names) {
            if (!described(name).equals(other.described(name))) {
                return Map.entry(described(name), other.described(name));
            }
        }
        return null;
    }

    private String described(String name) {
        Column column = columns.get(name);
        return column == null ? "no column " + name : "a column " + name + " of type " + column.type;
    }

    /**
     * What a query uses of a table.
     *
     * @param names its columns, and other names that no table may have as a column
     * @param all whether it returns all columns, whatever they are
     * @param asTable whether it must be no view
     */
    public record Uses(Set<String> names, boolean all, boolean asTable) {}
}
