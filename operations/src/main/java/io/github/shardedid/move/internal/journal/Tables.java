package io.github.shardedid.move.internal.journal;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The relations of a shard's schema, by their names without the schema and in alphabetical order. */
public final class Tables {
    private static final String OF_SCHEMA =
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE n.nspname = ? AND c.relkind = ANY (?) ORDER BY 1";

    /** A setting of sessions: the move whose changes they apply. */
    public static final String APPLIES = "sharded_id.applies";

    private Tables() {}

    /** All tables, partitioned ones and the history of migrations among them. */
    public static List<String> all(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, OF_SCHEMA, schema, List.of("r", "p"));
    }

    /** Those that hold the rows that a move copies, without the marker's. */
    public static List<String> copied(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, OF_SCHEMA, schema, List.of("r")).stream()
                .filter(table -> !Names.HISTORIES.contains(table)
                        && !List.of(Names.MARKER, Names.PROGRESS).contains(table))
                .toList();
    }

    public static List<String> sequences(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, OF_SCHEMA, schema, List.of("S"));
    }

    public static String qualified(String schema, String table) {
        return Sql.name(schema) + "." + Sql.name(table);
    }

    public static List<String> qualified(String schema, List<String> tables) {
        return tables.stream().map(table -> qualified(schema, table)).toList();
    }

    /** Statements that block all writes. */
    public static List<String> refuseWrites(String schema, List<String> tables) {
        return refuseWrites(schema, tables, "", true);
    }

    /** Statements that block writes, except those of replication and of a session that applies the changes of this move. */
    public static List<String> refuseWrites(String schema, List<String> tables, Names move) {
        String others =
                " WHEN (pg_catalog.current_setting('" + APPLIES + "', true) IS DISTINCT FROM '" + move.object() + "')";
        return refuseWrites(schema, tables, others, false);
    }

    private static List<String> refuseWrites(String schema, List<String> tables, String condition, boolean always) {
        return qualified(schema, tables).stream()
                .map(table -> "CREATE TRIGGER " + Names.TRIGGER + " BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "
                        + table + " FOR EACH STATEMENT" + condition + " EXECUTE FUNCTION sharded_id.refuse_write()"
                        + (always ? "; ALTER TABLE " + table + " ENABLE ALWAYS TRIGGER " + Names.TRIGGER : ""))
                .toList();
    }

    /** Statements that undo {@link #refuseWrites}. */
    public static List<String> allowWrites(Connection connection, String schema) throws SQLException {
        return Sql.strings(
                        connection,
                        "SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                                + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND t.tgname = ?"
                                + " ORDER BY 1",
                        schema,
                        Names.TRIGGER)
                .stream()
                .map(table -> "DROP TRIGGER " + Names.TRIGGER + " ON " + qualified(schema, table))
                .toList();
    }
}
