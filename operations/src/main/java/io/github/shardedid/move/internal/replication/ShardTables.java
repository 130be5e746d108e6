package io.github.shardedid.move.internal.replication;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
import org.postgresql.jdbc.PgConnection;

/** The relations of a shard's schema, by their names without the schema and in alphabetical order. */
public final class ShardTables {
    private static final String OF_SCHEMA = Sql.load(ShardTables.class, "relations_of_schema.sql");
    private static final String REFUSE = Sql.load(ShardTables.class, "refuse_writes.sql");
    private static final String ALLOW = Sql.load(ShardTables.class, "allow_writes.sql");

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

    /** Returns the qualified names, separated by commas. */
    public static String list(String schema, List<String> tables) {
        return tables.stream().map(table -> qualified(schema, table)).collect(Collectors.joining(", "));
    }

    /** Statements that block writes to all tables, those of replication only if {@code always}. */
    public static List<String> refuseWrites(Connection connection, String schema, boolean always) throws SQLException {
        return Sql.strings(connection, REFUSE, always, schema);
    }

    /** Statements that undo that. */
    public static List<String> allowWrites(Connection connection, String schema) throws SQLException {
        return Sql.strings(connection, ALLOW, schema);
    }

    /** Copies the rows that one statement writes by another one, which reads them. */
    public static void copy(Connection source, String from, Connection target, String to) throws SQLException {
        CopyOut out = source.unwrap(PgConnection.class).getCopyAPI().copyOut(from);
        CopyIn in = target.unwrap(PgConnection.class).getCopyAPI().copyIn(to);
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            in.writeToCopy(row, 0, row.length);
        }
        in.endCopy();
    }
}
