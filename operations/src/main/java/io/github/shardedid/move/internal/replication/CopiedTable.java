package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
import org.postgresql.jdbc.PgConnection;

/**
 * The structure of a replicated table, and the statements that give a copy the same.
 *
 * @param parts in the order in which they are made
 */
record CopiedTable(String schema, String name, List<Part> parts) {
    /** Statements of this class follow each other in one transaction, so that one name is enough. */
    private static final String ROWS = "pg_temp.sharded_id_rows";

    /**
     * A part of a table.
     *
     * @param kind column, generated (column), key, constraint, index, or reader
     * @param name quoted where needed; of the key, its columns
     */
    record Part(String kind, String name, String definition) {}

    /** Returns the tables from rows of table, kind, name and definition. */
    static List<CopiedTable> of(String schema, List<List<@Nullable String>> rows) {
        Map<String, List<Part>> tables = new LinkedHashMap<>();
        rows.forEach(row -> tables.computeIfAbsent(String.valueOf(row.get(0)), table -> new ArrayList<>())
                .add(new Part(String.valueOf(row.get(1)), String.valueOf(row.get(2)), String.valueOf(row.get(3)))));
        return tables.entrySet().stream()
                .map(each -> new CopiedTable(schema, each.getKey(), List.copyOf(each.getValue())))
                .toList();
    }

    private Stream<Part> parts(String... kinds) {
        return parts.stream().filter(part -> List.of(kinds).contains(part.kind));
    }

    boolean hasKey() {
        return parts("key").findFirst().isPresent();
    }

    private String key() {
        return parts("key").findFirst().orElseThrow().name;
    }

    String table() {
        return ShardTables.qualified(schema, name);
    }

    /** Columns may be null until they are filled, and the original has checked them. */
    String create() {
        return "CREATE TABLE " + table() + " ("
                + Stream.concat(
                                parts("column", "generated").map(part -> part.name + " " + part.definition),
                                parts("key").map(Part::definition))
                        .collect(Collectors.joining(", "))
                + ")";
    }

    /** Gives a copy the columns, and drops what the rows would have to obey while they are replaced. */
    String alter(CopiedTable copy) {
        if (!copy.parts("key").toList().equals(parts("key").toList())) {
            return "DROP TABLE " + table() + "; " + create();
        }
        List<String> changes = new ArrayList<>();
        changes.add("DROP TRIGGER sharded_id_replicated ON " + table());
        copy.parts("constraint").forEach(part -> changes.add(alter("DROP CONSTRAINT " + part.name)));
        copy.parts("index").forEach(part -> changes.add("DROP INDEX " + Sql.name(schema) + "." + part.name));
        Map<String, Part> present = copy.columns();
        Map<String, Part> wanted = columns();
        present.values().stream()
                .filter(part -> !part.equals(wanted.get(part.name)) && !isRetyped(part, wanted.get(part.name)))
                .forEach(part -> changes.add(alter("DROP COLUMN " + part.name)));
        wanted.values().stream()
                .filter(part -> !part.equals(present.get(part.name)))
                .forEach(part -> changes.add(alter(
                        isRetyped(present.get(part.name), part)
                                ? "ALTER COLUMN " + part.name + " TYPE " + part.definition + " USING CAST(" + part.name
                                        + " AS " + part.definition.replaceFirst(" COLLATE .*", "") + ")"
                                : "ADD COLUMN " + part.name + " " + part.definition)));
        return String.join("; ", changes);
    }

    private static boolean isRetyped(@Nullable Part before, @Nullable Part after) {
        return before != null && after != null && before.kind.equals("column") && after.kind.equals("column");
    }

    private Map<String, Part> columns() {
        return parts("column", "generated")
                .collect(Collectors.toMap(Part::name, part -> part, (a, b) -> a, LinkedHashMap::new));
    }

    private String alter(String change) {
        return "ALTER TABLE " + table() + " " + change;
    }

    /**
     * Makes the rows of the copy those of the original. Rows that are the same stay, since foreign keys of shards may refer to them.
     *
     * @param source in a transaction that blocks writes to the original
     */
    void fill(Connection source, Connection target) throws SQLException {
        String columns = parts("column").map(Part::name).collect(Collectors.joining(", "));
        Sql.execute(
                target,
                "CREATE TEMPORARY TABLE sharded_id_rows ON COMMIT DROP AS SELECT " + columns + " FROM " + table()
                        + " WITH NO DATA");
        CopyOut out = source.unwrap(PgConnection.class)
                .getCopyAPI()
                .copyOut("COPY " + table() + " (" + columns + ") TO STDOUT (FORMAT binary)");
        CopyIn in = target.unwrap(PgConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + ROWS + " (" + columns + ") FROM STDIN (FORMAT binary)");
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            in.writeToCopy(row, 0, row.length);
        }
        in.endCopy();
        String changes = parts("column")
                .map(part -> part.name + " = excluded." + part.name)
                .collect(Collectors.joining(", "));
        Sql.execute(
                target,
                List.of(
                        "DELETE FROM " + table() + " WHERE (" + key() + ") NOT IN (SELECT " + key() + " FROM " + ROWS
                                + ")",
                        "INSERT INTO " + table() + " (" + columns + ") SELECT " + columns + " FROM " + ROWS
                                + " ON CONFLICT (" + key() + ") DO UPDATE SET " + changes,
                        "DROP TABLE " + ROWS));
    }

    /** Creates what the rows have to obey, and refuses writes other than those of replication. */
    String complete() {
        List<String> statements = new ArrayList<>();
        parts("constraint")
                .forEach(part -> statements.add(alter("ADD CONSTRAINT " + part.name + " " + part.definition)));
        parts("index").forEach(part -> statements.add(part.definition));
        parts("reader").forEach(part -> {
            statements.add("GRANT USAGE ON SCHEMA " + Sql.name(schema) + " TO " + part.name);
            statements.add("GRANT SELECT ON " + table() + " TO " + part.name);
        });
        statements.add(refuse("sharded_id_replicated", "INSERT OR UPDATE OR DELETE OR TRUNCATE"));
        return String.join("; ", statements);
    }

    /** Publishes the original, in which rows may be deleted only one by one: a copy to which foreign keys refer cannot be truncated. */
    String publish(String publication) {
        return refuse("sharded_id_original", "TRUNCATE") + "; ALTER PUBLICATION " + publication + " ADD TABLE "
                + table();
    }

    private String refuse(String trigger, String events) {
        return "CREATE OR REPLACE TRIGGER " + trigger + " BEFORE " + events + " ON " + table()
                + " FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_replicated()";
    }
}
