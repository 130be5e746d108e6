package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.KeyRows.TableRows;
import io.github.shardedid.hibernate.RowsRefusedException;
import io.github.shardedid.hibernate.internal.mapping.RowReferences;
import io.github.shardedid.hibernate.internal.mapping.RowReferences.Reference;
import io.github.shardedid.hibernate.internal.rows.RowGraph.Edge;
import io.github.shardedid.hibernate.internal.rows.ShardCatalog.Table;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counts, exports and erases the rows that live with a root row, over a connection in the scope of its shard. Used by one thread.
 *
 * <p>Erasing proceeds in this order:
 *
 * <ol>
 *   <li>Rows that live elsewhere and refer to one of these are looked for. If there are any, nothing is deleted.
 *   <li>References that make circles are set to null.
 *   <li>The tables are emptied of these rows, children first, in batches that are a transaction each. A batch finds its rows from the
 *       root's id, so that another run continues where one was interrupted: the root, and each parent, is deleted after its children.
 *   <li>The rows are counted again. If the application has stored further ones meanwhile, all of this is repeated twice.
 * </ol>
 */
public final class RootRows {
    /** Rows of a batch: few enough that locks and the write-ahead log of a transaction do not disturb others. */
    private static final int BATCH = 2_000;

    private static final int PASSES = 3;

    /** The tables of Spring Modulith. */
    private static final List<String> PUBLICATIONS = List.of("event_publication", "event_publication_archive");

    private final Connection connection;
    private final Root root;
    private final RowReferences references;
    private final RowGraph graph;
    private final RowSql sql;
    private final Map<String, Long> erased = new LinkedHashMap<>();

    /**
     * A root row.
     *
     * @param entity the entity's name
     * @param id its id as a text
     */
    public record Root(String entity, String id, int shard, String database) {
        @Override
        public String toString() {
            return entity + " " + id + " in shard " + shard + " on database " + database;
        }
    }

    /** Reads the catalog of the shard. */
    public RootRows(Connection connection, Root root, RowReferences references) throws SQLException {
        this.connection = connection;
        this.root = root;
        this.references = references;
        Reference table = references.root(root.entity());
        if (table.columns().size() != 1) {
            throw new RowsRefusedException("The id of " + root + " has several columns, by which no rows can be"
                    + " counted, exported or erased. Nothing was done. Name the row with which this one lives.");
        }
        this.graph = RowGraph.of(table, references, ShardCatalog.read(connection, ShardSchema.nameOf(root.shard())));
        this.sql = new RowSql(graph);
    }

    RowGraph graph() {
        return graph;
    }

    /** Counts the rows of each table, parents first. Fails if there is none. */
    public Report count() throws SQLException {
        Map<String, Long> rows = counts();
        requireKnown(rows);
        return report(rows, rows);
    }

    private Map<String, Long> counts() throws SQLException {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (int i = graph.tables().size() - 1; i >= 0; i--) {
            String table = graph.tables().get(i);
            rows.put(table, number(sql.count(table)));
        }
        return rows;
    }

    private void requireKnown(Map<String, Long> rows) {
        if (rows.values().stream().allMatch(each -> each == 0)) {
            throw new RowsRefusedException(root
                    + " does not exist, and no row lives with it. Nothing was done. Check the" + " entity and the id.");
        }
    }

    private Report report(Map<String, Long> rows, Map<String, Long> left) throws SQLException {
        List<TableRows> tables = new ArrayList<>();
        rows.forEach((table, number) -> tables.add(new TableRows(
                table, number, erased.getOrDefault(table, 0L), Objects.requireNonNullElse(left.get(table), 0L))));
        List<String> others = references.foreign().entrySet().stream()
                .filter(each -> graph.tables().contains(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return new Report(root.entity(), root.id(), root.shard(), root.database(), tables, others, publications());
    }

    /** Counts the event publications whose text contains the id. They are not the mappings', so nothing else is known of them. */
    private long publications() throws SQLException {
        long found = 0;
        for (String name : PUBLICATIONS) {
            Table table = graph.catalog().tables().get(name);
            if (table != null && table.columns().contains("serialized_event")) {
                found += number("SELECT count(*) FROM " + RowSql.table(name)
                        + " WHERE strpos(serialized_event, CAST(? AS text)) > 0");
            }
        }
        return found;
    }

    /** Writes the rows as lines of JSON, parents first, from one snapshot. */
    public Report export(String header, Appendable out) throws SQLException {
        for (String table : graph.tables()) {
            if (graph.table(table).hasLargeObjects()) {
                throw new RowsRefusedException(
                        "Table " + table + " of " + root + " refers to large objects, whose content"
                                + " is not in its rows. Nothing was exported. Store it in columns of type bytea or text.");
            }
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        Map<String, Long> rows = new LinkedHashMap<>(counts());
        requireKnown(rows);
        append(out, header);
        long lines = 0;
        for (Reference each : graph.catalog().keys().keySet()) {
            if (each.target().equals(references.revisions()) && graph.tables().contains(each.table())) {
                lines += write(each.target(), "row", sql.referred(each), out);
            }
        }
        for (String table : List.copyOf(rows.keySet())) {
            lines += write(table, "row", sql.rows(table), out);
        }
        for (String table : rows.keySet()) {
            if (!graph.lateColumns(table).isEmpty()) {
                lines += write(table, "late", sql.lateRows(table), out);
            }
        }
        append(out, "{\"lines\":" + lines + "}");
        Report report = report(rows, rows);
        connection.commit();
        return report;
    }

    private static void append(Appendable out, String line) {
        try {
            out.append(line).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long write(String table, String kind, String query, Appendable out) throws SQLException {
        long lines = 0;
        try (PreparedStatement statement = prepare(query)) {
            statement.setFetchSize(BATCH / 4);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    // Only a column of type json has line breaks, between its tokens: within texts they are escaped.
                    append(out, RowLines.line(table, kind, row.getString(1).replaceAll("[\r\n]", " ")));
                    lines++;
                }
            }
        }
        return lines;
    }

    /** Deletes the rows. */
    public Report erase() throws SQLException {
        Map<String, Long> rows = counts();
        requireKnown(rows);
        requireNoStrangers();
        Map<String, Long> left = rows;
        SQLException stored = null;
        for (int pass = 0; pass < PASSES && left.values().stream().anyMatch(each -> each > 0); pass++) {
            try {
                deleteAll();
            } catch (SQLException e) {
                if (!"23503".equals(e.getSQLState())) {
                    throw e;
                }
                stored = e; // A row that was stored after its table had been emptied.
            }
            left = counts();
        }
        if (left.values().stream().anyMatch(each -> each > 0)) {
            throw new RowsRefusedException(
                    root + " is not erased: the application still stores rows that live with it, and"
                            + " these are left: " + left + ". " + erased
                            + " were deleted. Lock the account, and erase it again.",
                    stored);
        }
        return report(rows, left);
    }

    private void requireNoStrangers() throws SQLException {
        List<String> found = new ArrayList<>();
        for (Edge edge : graph.edges()) {
            long strangers = edge.owns() || edge.clears() ? 0 : number(sql.strangers(edge));
            if (strangers > 0) {
                found.add(strangers + " rows of " + edge);
            }
        }
        if (!found.isEmpty()) {
            throw new RowsRefusedException(root
                    + " is not erased: rows that do not live with it refer to it or to its rows: "
                    + String.join("; ", found) + ". Nothing was deleted. Delete or change them first; if they live with"
                    + " it, put @ShardKey on that association, or declare the foreign key with ON DELETE CASCADE.");
        }
    }

    private void deleteAll() throws SQLException {
        for (Edge edge : graph.late()) {
            if (!edge.owns()) {
                repeat(sql.clear(edge, BATCH));
            }
        }
        for (String table : graph.tables()) {
            long deleted = repeat(sql.delete(table, BATCH));
            if (!graph.trees(table).isEmpty() && number(sql.count(table)) > 0) {
                deleted += update(sql.deleteCircle(table));
            }
            erased.merge(table, deleted, Long::sum);
        }
    }

    private long repeat(String batch) throws SQLException {
        long all = 0;
        for (int rows = update(batch); rows > 0; rows = update(batch)) {
            all += rows;
        }
        return all;
    }

    private int update(String statement) throws SQLException {
        try (PreparedStatement prepared = prepare(statement)) {
            return prepared.executeUpdate();
        }
    }

    private long number(String query) throws SQLException {
        try (PreparedStatement statement = prepare(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private PreparedStatement prepare(String statement) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        for (int i = 1; i <= RowSql.parameters(statement); i++) {
            prepared.setString(i, root.id());
        }
        return prepared;
    }
}
