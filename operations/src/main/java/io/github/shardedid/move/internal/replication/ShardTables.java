package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The relations of a shard's schema, by their names without the schema and in alphabetical order. */
public final class ShardTables {
    private static final String OF_SCHEMA =
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE n.nspname = ? AND c.relkind = ANY (?) ORDER BY 1";

    private ShardTables() {}

    /** All tables, partitioned ones and the history of migrations among them. */
    public static List<String> all(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, OF_SCHEMA, schema, List.of("r", "p"));
    }

    /** Those that hold the rows that a move copies, without the marker's. */
    public static List<String> copied(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, OF_SCHEMA, schema, List.of("r")).stream()
                .filter(table -> !MoveNames.HISTORIES.contains(table) && !table.equals(MoveNames.MARKER))
                .toList();
    }

    public static String qualified(String schema, String table) {
        return Sql.name(schema) + "." + Sql.name(table);
    }

    private static List<String> qualified(String schema, List<String> tables) {
        return tables.stream().map(table -> qualified(schema, table)).toList();
    }

    /** Returns the qualified names, separated by commas. */
    public static String list(String schema, List<String> tables) {
        return String.join(", ", qualified(schema, tables));
    }

    /** Statements that block all writes. */
    public static List<String> refuseAllWrites(String schema, List<String> tables) {
        return Stream.concat(
                        refuseWrites(schema, tables).stream(),
                        qualified(schema, tables).stream()
                                .map(table -> "ALTER TABLE " + table + " ENABLE ALWAYS TRIGGER " + MoveNames.TRIGGER))
                .toList();
    }

    /** Statements that block writes, except those of replication. */
    public static List<String> refuseWrites(String schema, List<String> tables) {
        return qualified(schema, tables).stream()
                .map(table ->
                        "CREATE TRIGGER " + MoveNames.TRIGGER + " BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "
                                + table + " FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_write()")
                .toList();
    }

    /** Statements that undo both. */
    public static List<String> allowWrites(Connection connection, String schema) throws SQLException {
        return Sql.strings(
                        connection,
                        "SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                                + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND t.tgname = ?"
                                + " ORDER BY 1",
                        schema,
                        MoveNames.TRIGGER)
                .stream()
                .map(table -> "DROP TRIGGER " + MoveNames.TRIGGER + " ON " + qualified(schema, table))
                .toList();
    }
}
