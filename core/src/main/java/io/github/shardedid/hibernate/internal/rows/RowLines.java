package io.github.shardedid.hibernate.internal.rows;

import io.github.shardedid.hibernate.KeyRows.TableRows;
import io.github.shardedid.hibernate.RowsRefusedException;
import io.github.shardedid.hibernate.internal.mapping.RowReferences;
import io.github.shardedid.hibernate.internal.rows.RootRows.Root;
import io.github.shardedid.hibernate.internal.rows.ShardCatalog.Table;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an export, and their restoration, in one transaction: either all rows are stored, or none.
 *
 * <p>The first line names the layout, the shards, and the root; the last one the number of lines between, without which a file is not whole.
 * A line has the JSON of a row, or of those of its references that are set after all rows are stored. Only the database
 * reads that JSON.
 */
public final class RowLines {
    private static final int BATCH = 500;
    private static final int MAX_CHARACTERS = 1_000_000;
    private static final Pattern HEADER =
            Pattern.compile("\\{\"layout\":.*\"shard\":(\\d{1,9}),\"entity\":\"(.*)\",\"id\":\"(.*)\"}");
    private static final Pattern LINE =
            Pattern.compile("\\{\"table\":\"([^\"]*)\",\"(row|late)\":(\\{.*})}", Pattern.DOTALL);

    /** Several keys, and several audit rows, refer to one revision. */
    private static final String IF_NEW = " ON CONFLICT DO NOTHING";

    private final Connection connection;
    private final Root root;
    private final IdLayout layout;
    private final RowReferences references;
    private final RowGraph graph;
    private final Map<String, Long> stored = new LinkedHashMap<>();
    /** Lines of one table that follow each other, and the statement that stores them. */
    private final List<String> pending = new ArrayList<>();

    private String statement = "";
    private int characters;

    /** Restores the rows of a root in the scope of its shard. */
    public RowLines(Connection connection, Root root, IdLayout layout, RowReferences references) throws SQLException {
        this.connection = connection;
        this.root = root;
        this.layout = layout;
        this.references = references;
        this.graph = new RootRows(connection, root, references).graph();
    }

    static String line(String table, String kind, String json) {
        return "{\"table\":\"" + table + "\",\"" + kind + "\":" + json + "}";
    }

    /** Returns the first line of an export. Clusters of one layout may differ in their JVM nodes. */
    public static String header(Cluster cluster, Root root) {
        return "{\"layout\":\"" + cluster.layout().withJvmNodes(0) + "\",\"shards\":" + cluster.shardCount()
                + ",\"shard\":" + root.shard() + ",\"entity\":\"" + root.entity() + "\",\"id\":\"" + root.id() + "\"}";
    }

    /** Returns the shard, the entity and the id in the first line of an export. */
    public static Root root(@Nullable String header) {
        Matcher fields = HEADER.matcher(String.valueOf(header));
        if (!fields.matches()) {
            throw new RowsRefusedException("This is no export of rows: its first line is " + header
                    + ". Nothing was restored. Pass what the export has written, from its beginning.");
        }
        return new Root(fields.group(2), fields.group(3), Integer.parseInt(fields.group(1)), "");
    }

    /** Returns the next line; null at the end. */
    public static @Nullable String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stores the rows of the lines after the first one, and returns how many there are of each table. */
    public List<TableRows> restore(BufferedReader lines) throws SQLException {
        connection.setAutoCommit(false);
        try {
            long read = 0;
            for (String line = next(lines); !("{\"lines\":" + read + "}").equals(line); line = next(lines)) {
                add(line, read);
                read++;
            }
            flush();
            connection.commit();
            return stored.entrySet().stream()
                    .map(each -> new TableRows(each.getKey(), each.getValue(), 0, each.getValue()))
                    .toList();
        } finally {
            connection.rollback();
        }
    }

    private void add(@Nullable String line, long read) throws SQLException {
        Matcher fields = LINE.matcher(String.valueOf(line));
        if (!fields.matches() || !isKnown(fields.group(1))) {
            throw new RowsRefusedException(root + " is not restored: after " + read + " lines follows "
                    + (line == null
                            ? "the end of the file, so the export is not whole"
                            : "no row that lives with it: " + line)
                    + ". Nothing was restored. Pass a whole export, and migrate this cluster to the same tables.");
        }
        Table table = graph.table(fields.group(1));
        boolean row = fields.group(2).equals("row");
        String next = row ? insert(table) : update(table);
        if (!next.equals(statement) || pending.size() == BATCH || characters > MAX_CHARACTERS) {
            flush();
        }
        statement = next;
        pending.add(fields.group(3));
        characters += fields.group(3).length();
        if (row && graph.tables().contains(table.name())) {
            stored.merge(table.name(), 1L, Long::sum);
        }
    }

    private boolean isKnown(String table) {
        return graph.tables().contains(table) || table.equals(references.revisions());
    }

    private void flush() throws SQLException {
        if (pending.isEmpty()) {
            return;
        }
        try (PreparedStatement prepared = connection.prepareStatement(statement)) {
            prepared.setString(1, "[" + String.join(",", pending) + "]");
            if (prepared.executeUpdate() != pending.size() && !statement.endsWith(IF_NEW)) {
                throw new RowsRefusedException(root + " is not restored: a line does not fit the statement " + statement
                        + ". It has a column that this cluster lacks, or an id that names another shard than "
                        + root.shard() + ". Nothing was restored. Migrate this cluster to the same tables, and pass the"
                        + " export as it was written.");
            }
        }
        pending.clear();
        characters = 0;
    }

    /** Inserts what a line has, without the references that are set later. A column that the table lacks is not lost silently. */
    private String insert(Table table) {
        List<String> columns = new ArrayList<>(table.columns());
        columns.removeAll(graph.lateColumns(table.name()));
        return "INSERT INTO " + RowSql.table(table.name()) + " (" + names("", columns)
                + ") OVERRIDING SYSTEM VALUE SELECT "
                + names("r.", columns) + rows(table) + "CAST(j AS jsonb) - ARRAY["
                + table.columns().stream()
                        .map(each -> "'" + each.replace("'", "''") + "'")
                        .collect(Collectors.joining(", "))
                + "] = '{}'"
                + references.ids(table.name()).stream()
                        .map(each -> " AND coalesce((r." + RowSql.quoted(each) + " >> " + layout.sequenceBits() + ") & "
                                + (layout.maxShards() - 1) + ", " + root.shard() + ") = " + root.shard())
                        .collect(Collectors.joining())
                + (table.name().equals(references.revisions()) ? IF_NEW : "");
    }

    private String update(Table table) {
        List<String> late = graph.lateColumns(table.name());
        return "UPDATE " + RowSql.table(table.name()) + " t SET ("
                + names("", late) + ") = ROW(" + names("r.", late) + ")" + rows(table) + "("
                + names("t.", table.primaryKey()) + ") = (" + names("r.", table.primaryKey()) + ")";
    }

    private static String rows(Table table) {
        return " FROM json_array_elements(CAST(? AS json)) j, json_populate_record(NULL::" + RowSql.table(table.name())
                + ", j) r WHERE ";
    }

    private static String names(String prefix, List<String> columns) {
        return columns.stream().map(each -> prefix + RowSql.quoted(each)).collect(Collectors.joining(", "));
    }
}
