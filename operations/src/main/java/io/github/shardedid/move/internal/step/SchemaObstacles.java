package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds what a shard's schema contains that a move would leave behind, double, or stop at after hours. What the target lacks is found when
 * the migrations run there.
 */
final class SchemaObstacles {
    private static final String OF_SCHEMA = " FROM pg_class c WHERE c.relnamespace = ?::regnamespace AND ";

    /** Tables of which no index finds a row by what an update or delete logs, unless all of its columns are logged. */
    private static final String KEYLESS = "c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_index i"
            + " WHERE i.indrelid = c.oid AND i.indisvalid AND (i.indisprimary AND i.indimmediate AND c.relreplident <> 'n'"
            + " OR c.relreplident = 'i' AND i.indisreplident))";

    /** A query for names, what prevents a move of what has these names, and the way out. */
    private record Obstacle(String what, String wayOut, String query) {}

    private static final List<Obstacle> OF_ANY_MOVE = List.of(
            new Obstacle(
                    "cannot be replicated or copied",
                    "",
                    "SELECT CASE WHEN relkind = 'f' THEN 'foreign table ' WHEN relkind = 'm' THEN 'materialized view '"
                            + " ELSE 'unlogged table ' END || relname" + OF_SCHEMA
                            + "(relkind IN ('f', 'm') OR relkind IN ('r', 'p') AND relpersistence = 'u')"),
            new Obstacle(
                    "may point to large objects, which are not copied",
                    "",
                    "SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
                            + " JOIN pg_type t ON t.oid = a.atttypid WHERE c.relnamespace = ?::regnamespace"
                            + " AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
                            + " AND 'oid'::regtype IN (t.oid, t.typbasetype)"),
            new Obstacle(
                    "would also fire for rows that are copied, as they are enabled ALWAYS or REPLICA",
                    "",
                    "SELECT 'trigger ' || tgname || ' on ' || tgrelid::regclass FROM pg_trigger t JOIN pg_class c"
                            + " ON c.oid = t.tgrelid WHERE c.relnamespace = ?::regnamespace AND NOT tgisinternal"
                            + " AND tgenabled IN ('A', 'R')"),
            // Rows of the one are rows of the other.
            new Obstacle(
                    "share rows with a table of another schema, which is not copied",
                    " Keep both tables in the shard's schema.",
                    "SELECT i.inhrelid::regclass || ' of ' || i.inhparent::regclass FROM pg_inherits i"
                            + " JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent"
                            + " WHERE c.relkind IN ('r', 'p', 'f') AND c.relnamespace <> p.relnamespace"
                            + " AND ?::regnamespace::oid IN (c.relnamespace, p.relnamespace)"),
            new Obstacle(
                    "take their values from sequences of another schema, and would take some again at the target",
                    " Create these sequences in the shard's schema.",
                    "SELECT DISTINCT c.relname || '.' || a.attname || ' from ' || s.oid::regclass FROM pg_attrdef e"
                            + " JOIN pg_class c ON c.oid = e.adrelid"
                            + " JOIN pg_attribute a ON a.attrelid = e.adrelid AND a.attnum = e.adnum"
                            + " JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = e.oid AND d.refclassid = 'pg_class'::regclass"
                            + " JOIN pg_class s ON s.oid = d.refobjid AND s.relkind = 'S' AND s.relnamespace <> c.relnamespace"
                            + " WHERE c.relnamespace = ?::regnamespace AND c.relkind IN ('r', 'p')"));

    /** Writes to such a table fail at the source while it is published. */
    private static final Obstacle GENERATED = new Obstacle(
            "are generated columns of the replica identity, which are not replicated",
            " Give the tables a primary key of other columns.",
            """
            SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
              LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid
                AND (c.relreplident = 'd' AND i.indisprimary AND i.indimmediate OR c.relreplident = 'i' AND i.indisreplident)
            WHERE c.relnamespace = ?::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
              AND a.attgenerated <> '' AND CASE WHEN i.indexrelid IS NULL
                THEN current_setting('server_version_num')::int >= 180000 ELSE a.attnum = ANY (i.indkey) END""");

    private static final String PUBLISHES_ALL =
            "SELECT pubname FROM pg_publication WHERE puballtables AND (pubupdate OR pubdelete)";

    private final Connection source;
    private final String schema;
    private final String where;
    private final List<String> lines = new ArrayList<>();

    SchemaObstacles(String database, Connection source, String schema) {
        this.source = source;
        this.schema = schema;
        this.where = "In schema " + schema + " of database " + database + " these ";
    }

    /** Returns a line for each obstacle to any move. */
    List<String> any(String targetName, Connection target) throws SQLException {
        for (Obstacle each : OF_ANY_MOVE) {
            find(each);
        }
        if (!Sql.strings(target, PUBLISHES_ALL).isEmpty()) {
            find(new Obstacle(
                    "have no replica identity, so that their rows could not be updated or deleted in database "
                            + targetName + ", which publishes all tables (publication "
                            + String.join(", ", Sql.strings(target, PUBLISHES_ALL)) + ")",
                    " Give them a primary key, or REPLICA IDENTITY FULL.",
                    "SELECT c.relname" + OF_SCHEMA + "c.relreplident <> 'f' AND " + KEYLESS));
        }
        return lines;
    }

    /** Returns a line for each obstacle to logical replication. */
    List<String> replication() throws SQLException {
        find(GENERATED);
        return lines;
    }

    private void find(Obstacle obstacle) throws SQLException {
        String found =
                Sql.strings(source, obstacle.query(), schema).stream().sorted().collect(Collectors.joining(", "));
        if (!found.isEmpty()) {
            lines.add(where + obstacle.what() + ": " + found + "." + obstacle.wayOut());
        }
    }
}
