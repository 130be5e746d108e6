package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.internal.mapping.RowReferences.Reference;
import io.github.shardedid.hibernate.internal.rows.RowGraph.Edge;
import io.github.shardedid.hibernate.internal.rows.ShardCatalog.Table;
import io.github.shardedid.routing.RoutingDataSource;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements on the rows that live with a root row. Each finds them from the root's id, its only parameter, through the tables of
 * their parents: no ids are kept in memory, and what is deleted is no longer found.
 */
final class RowSql {
    /** The id of the root; a statement may have several. */
    private static final String PARAMETER = "CAST(? AS ";

    private final RowGraph graph;
    private int aliases;

    RowSql(RowGraph graph) {
        this.graph = graph;
    }

    /** Returns how often a statement has the id as a parameter. */
    static int parameters(String sql) {
        return sql.split(PARAMETER.replace("(", "\\(").replace("?", "\\?"), -1).length - 1;
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String table(String name) {
        return RoutingDataSource.SCHEMA_PLACEHOLDER + "." + quoted(name);
    }

    private static String columns(String alias, List<String> names) {
        return "(" + names.stream().map(each -> alias + "." + name(each)).collect(Collectors.joining(", ")) + ")";
    }

    private static String select(String alias, List<String> names) {
        return names.stream().map(each -> alias + "." + name(each)).collect(Collectors.joining(", "));
    }

    private static String name(String column) {
        return column.equals("ctid") ? column : quoted(column);
    }

    String count(String table) {
        return "SELECT count(*) FROM " + table(table) + " t WHERE " + living(table, "t");
    }

    /** Reads rows as JSON. */
    String rows(String table) {
        return read(table, living(table, "t"));
    }

    /** Reads the rows with a reference that is set after all rows are stored. */
    String lateRows(String table) {
        return read(table, living(table, "t") + " AND " + isSet("t", graph.lateColumns(table)));
    }

    /** Reads the rows that rows of a table refer to, though they do not live with the root. */
    String referred(Reference reference) {
        return read(
                reference.target(),
                columns("t", reference.targetColumns()) + " IN (SELECT " + select("r", reference.columns()) + " FROM "
                        + table(reference.table()) + " r WHERE " + living(reference.table(), "r") + ")");
    }

    private String read(String table, String condition) {
        return "SELECT row_to_json(t)::text FROM (SELECT "
                + select("t", graph.table(table).columns()) + " FROM " + table(table) + " t WHERE " + condition + ") t";
    }

    private static String isSet(String alias, List<String> columns) {
        return columns.stream()
                .map(each -> alias + "." + quoted(each) + " IS NOT NULL")
                .collect(Collectors.joining(" OR ", "(", ")"));
    }

    /** Counts rows that live elsewhere and refer to rows that live with the root. */
    String strangers(Edge edge) {
        String own =
                graph.tables().contains(edge.table()) ? " AND (" + living(edge.table(), "t") + ") IS NOT TRUE" : "";
        return "SELECT count(*) FROM " + table(edge.table()) + " t WHERE " + refers(edge, "t") + own;
    }

    /** Sets a reference to null in a batch of rows. */
    String clear(Edge edge, int batch) {
        List<String> columns = graph.clearable(edge);
        return "UPDATE " + table(edge.table()) + " SET "
                + columns.stream().map(each -> quoted(each) + " = NULL").collect(Collectors.joining(", ")) + " WHERE "
                + batch(edge.table(), living(edge.table(), "t") + " AND " + isSet("t", columns), batch);
    }

    /**
     * Deletes a batch of rows. Where the database does not check it, or rows of one table live with each other, a row is
     * left as long as another lives with it, which could not be found afterwards.
     */
    String delete(String table, int batch) {
        String leaves = graph.edges().stream()
                .filter(each -> each.owns() && each.target().equals(table) && (each.isSelf() || !each.constraint()))
                .map(each -> " AND NOT EXISTS (SELECT FROM " + table(each.table()) + " c WHERE "
                        + columns("c", each.columns()) + " = "
                        + columns("t", each.reference().targetColumns())
                        + (each.isSelf() ? " AND c.ctid <> t.ctid)" : ")"))
                .collect(Collectors.joining());
        return "DELETE FROM " + table(table) + " WHERE " + batch(table, living(table, "t") + leaves, batch);
    }

    /** Deletes all rows that refer to each other in a circle, in one statement. */
    String deleteCircle(String table) {
        return "DELETE FROM " + table(table) + " WHERE " + batch(table, living(table, "t"), Integer.MAX_VALUE);
    }

    private String batch(String table, String condition, int size) {
        Table found = graph.table(table);
        String rows = "SELECT " + select("t", found.identity()) + " FROM " + table(table) + " t WHERE " + condition
                + " LIMIT " + size;
        return found.primaryKey().isEmpty()
                ? "ctid = ANY (ARRAY(" + rows + "))"
                : found.primaryKey().stream().map(RowSql::quoted).collect(Collectors.joining(", ", "(", ")")) + " IN ("
                        + rows + ")";
    }

    /** The condition that a row lives with the root. Rows of a tree are followed down to the leaves; circles end there. */
    private String living(String table, String alias) {
        List<Edge> trees = graph.trees(table);
        if (trees.isEmpty()) {
            return begins(table, alias);
        }
        Edge tree = trees.get(0);
        List<String> keys = tree.reference().targetColumns();
        String up = alias();
        String first = alias();
        String child = alias();
        return columns(alias, keys) + " IN (WITH RECURSIVE " + up + " AS (SELECT " + select(first, keys) + " FROM "
                + table(table) + " " + first + " WHERE " + begins(table, first) + " UNION SELECT " + select(child, keys)
                + " FROM " + table(table) + " " + child + " JOIN " + up + " ON " + columns(child, tree.columns())
                + " = "
                + columns(up, keys) + ") SELECT " + select(up, keys) + " FROM " + up + ")";
    }

    /** The condition that a row is the root, or refers to a row of another table that lives with it. */
    private String begins(String table, String alias) {
        if (table.equals(graph.root().table())) {
            return isRoot(alias, graph.root().columns());
        }
        List<Edge> owners = graph.owners(table);
        if (owners.size() == 1) {
            return refers(owners.get(0), alias);
        }
        List<String> identity = graph.table(table).identity();
        return columns(alias, identity) + " IN ("
                + owners.stream()
                        .map(each -> {
                            String row = alias();
                            return "SELECT " + select(row, identity) + " FROM " + table(table) + " " + row + " WHERE "
                                    + refers(each, row);
                        })
                        .collect(Collectors.joining(" UNION ALL "))
                + ")";
    }

    private String refers(Edge edge, String alias) {
        boolean toRoot = edge.target().equals(graph.root().table())
                && edge.reference().targetColumns().equals(graph.root().columns())
                && graph.trees(edge.target()).isEmpty();
        if (toRoot) {
            return isRoot(alias, edge.columns());
        }
        String parent = alias();
        return columns(alias, edge.columns()) + " IN (SELECT "
                + select(parent, edge.reference().targetColumns()) + " FROM " + table(edge.target()) + " " + parent
                + " WHERE " + living(edge.target(), parent) + ")";
    }

    private String isRoot(String alias, List<String> columns) {
        Table root = graph.table(graph.root().table());
        return alias + "." + quoted(columns.get(0)) + " = " + PARAMETER
                + root.typeOf(graph.root().columns().get(0)) + ")";
    }

    private String alias() {
        return "a" + aliases++;
    }
}
