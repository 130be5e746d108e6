package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a shard's schema contains that cannot be moved, in whatever way. Each is named, with the way out. */
final class SchemaObstacles {
    private static final String KINDS = "SELECT CASE WHEN relkind = 'f' THEN 'foreign table ' WHEN relkind = 'm' THEN"
            + " 'materialized view ' ELSE 'unlogged table ' END || relname FROM pg_class WHERE relnamespace = ?::regnamespace"
            + " AND (relkind IN ('f', 'm') OR relkind IN ('r', 'p') AND relpersistence = 'u') ORDER BY 1";

    private static final String LARGE_OBJECTS =
            "SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c"
                    + " ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid WHERE c.relnamespace = ?::regnamespace"
                    + " AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
                    + " AND (t.oid = 'oid'::regtype OR t.typbasetype = 'oid'::regtype) ORDER BY 1";

    private static final String TRIGGERS =
            "SELECT tgname || ' on ' || tgrelid::regclass FROM pg_trigger t JOIN pg_class c"
                    + " ON c.oid = t.tgrelid WHERE c.relnamespace = ?::regnamespace AND NOT tgisinternal AND tgenabled IN ('A', 'R')"
                    + " ORDER BY 1";

    /** Rows of the one are rows of the other. */
    private static final String INHERITANCE =
            "SELECT i.inhrelid::regclass || ' of ' || i.inhparent::regclass FROM pg_inherits i"
                    + " JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent"
                    + " WHERE c.relkind IN ('r', 'p', 'f') AND c.relnamespace <> p.relnamespace"
                    + " AND ?::regnamespace::oid IN (c.relnamespace, p.relnamespace) ORDER BY 1";

    /** Their values are not carried over. */
    private static final String SEQUENCES =
            "SELECT DISTINCT c.relname || '.' || a.attname || ' from ' || s.oid::regclass"
                    + " FROM pg_attrdef e JOIN pg_class c ON c.oid = e.adrelid"
                    + " JOIN pg_attribute a ON a.attrelid = e.adrelid AND a.attnum = e.adnum"
                    + " JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = e.oid AND d.refclassid = 'pg_class'::regclass"
                    + " JOIN pg_class s ON s.oid = d.refobjid AND s.relkind = 'S' AND s.relnamespace <> c.relnamespace"
                    + " WHERE c.relnamespace = ?::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1";

    /** The hash of a label is that of its number, which is another one in each database. */
    private static final String ENUM_HASHES = "SELECT DISTINCT c.relname FROM pg_partitioned_table p"
            + " JOIN pg_class c ON c.oid = p.partrelid CROSS JOIN unnest(p.partattrs::int2[]) n"
            + " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = n JOIN pg_type t ON t.oid = a.atttypid"
            + " LEFT JOIN pg_type i ON i.oid IN (t.typbasetype, t.typelem)"
            + " WHERE c.relnamespace = ?::regnamespace AND p.partstrat = 'h' AND 'e' IN (t.typtype, i.typtype) ORDER BY 1";

    /** In order to update or delete a row of a published table, PostgreSQL requires an identity. The move gives the source's table one. */
    private static final String WITHOUT_IDENTITY =
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = ?::regnamespace"
                    + " AND c.relkind = 'r' AND c.relreplident <> 'f' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid"
                    + " AND i.indisvalid AND (c.relreplident = 'd' AND i.indisprimary AND i.indimmediate OR c.relreplident = 'i'"
                    + " AND i.indisreplident)) ORDER BY 1";

    private static final String PUBLICATIONS_OF_ALL =
            "SELECT pubname FROM pg_publication WHERE puballtables AND (pubupdate OR pubdelete) ORDER BY 1";

    private static final String SECURED = "SELECT c.relname FROM pg_class c WHERE c.relnamespace = ?::regnamespace"
            + " AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND row_security_active(c.oid) ORDER BY 1";

    /** At the target, the mover's role or one that it is a member of owns the tables. */
    private static final String SECURED_FOR_OWNER =
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = ?::regnamespace"
                    + " AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND c.relforcerowsecurity ORDER BY 1";

    private static final String BYPASSES = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";

    private static final String MINE =
            """
            WITH mine AS (
              SELECT 'pg_class'::regclass AS class, oid FROM pg_class WHERE relnamespace = ?::regnamespace
              UNION ALL SELECT 'pg_namespace'::regclass, oid FROM pg_namespace WHERE oid = ?::regnamespace
              UNION ALL SELECT 'pg_type'::regclass, oid FROM pg_type WHERE typnamespace = ?::regnamespace
              UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE pronamespace = ?::regnamespace
              UNION ALL SELECT 'pg_constraint'::regclass, oid FROM pg_constraint WHERE connamespace = ?::regnamespace
              UNION ALL SELECT 'pg_attrdef'::regclass, d.oid FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
                WHERE c.relnamespace = ?::regnamespace
              UNION ALL SELECT 'pg_trigger'::regclass, t.oid FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                WHERE c.relnamespace = ?::regnamespace
              UNION ALL SELECT 'pg_rewrite'::regclass, r.oid FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
                WHERE c.relnamespace = ?::regnamespace
              UNION ALL SELECT 'pg_policy'::regclass, p.oid FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
                WHERE c.relnamespace = ?::regnamespace)
            """;

    private static final int SCHEMAS =
            (int) MINE.chars().filter(character -> character == '?').count();

    private static final String OBJECTS = MINE
            + """
            SELECT DISTINCT o.type, o.object_names::text, o.object_args::text,
              pg_describe_object(d.refclassid, d.refobjid, 0) || coalesce(' of extension ' || e.extname, '')
            FROM mine JOIN pg_depend d ON d.classid = mine.class AND d.objid = mine.oid
              CROSS JOIN LATERAL pg_identify_object_as_address(d.refclassid, d.refobjid, 0) o
              LEFT JOIN pg_depend x ON x.classid = d.refclassid AND x.objid = d.refobjid AND x.deptype = 'e'
              LEFT JOIN pg_extension e ON e.oid = x.refobjid
            WHERE d.refclassid IN ('pg_class'::regclass, 'pg_type'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass,
                'pg_opclass'::regclass, 'pg_collation'::regclass, 'pg_ts_config'::regclass, 'pg_ts_dict'::regclass,
                'pg_language'::regclass, 'pg_am'::regclass)
              AND NOT EXISTS (SELECT FROM mine m WHERE m.class = d.refclassid AND m.oid = d.refobjid)
            ORDER BY 4""";

    private static final String ROLES = MINE
            + """
            SELECT DISTINCT r.rolname FROM mine JOIN pg_shdepend d ON d.classid = mine.class AND d.objid = mine.oid
              JOIN pg_roles r ON d.refclassid = 'pg_authid'::regclass AND r.oid = d.refobjid
            WHERE d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY 1""";

    private static final String EXISTS = "SELECT pg_get_object_address(?, ?::text[], ?::text[])";

    private final String where;
    private final Connection source;
    private final String schema;
    private final List<String> obstacles = new ArrayList<>();

    private SchemaObstacles(String database, Connection source, int shard) {
        this.source = source;
        this.schema = ShardSchema.nameOf(shard);
        this.where = "In schema " + schema + " of database " + database + " these ";
    }

    static List<String> of(String sourceName, Connection source, String targetName, Connection target, int shard)
            throws SQLException {
        SchemaObstacles found = new SchemaObstacles(sourceName, source, shard);
        found.add(KINDS, "cannot be replicated or copied: ", "");
        found.add(LARGE_OBJECTS, "may point to large objects, which are not copied: columns ", "");
        found.add(TRIGGERS, "would also fire for rows that are copied: triggers enabled ALWAYS or REPLICA ", "");
        found.add(
                INHERITANCE,
                "share rows with a table of another schema, which is not copied: ",
                " Keep both tables in the shard's schema.");
        found.add(
                SEQUENCES,
                "take their values from sequences of another schema, and would take some again at the target: columns ",
                " Create these sequences in the shard's schema.");
        found.add(
                ENUM_HASHES,
                "are partitioned by the hash of an enum, which is another one in each database: ",
                " Partition them by another column, or by the text of the enum.");
        found.publishedTables(targetName, target);
        found.obstacles.addAll(hiddenRows(sourceName, source, targetName, target, found.schema));
        found.obstacles.addAll(missing(sourceName, source, targetName, target, found.schema));
        return found.obstacles;
    }

    private void add(String query, String what, String wayOut) throws SQLException {
        List<String> found = Sql.strings(source, query, schema);
        if (!found.isEmpty()) {
            obstacles.add(where + what + String.join(", ", found) + "." + wayOut);
        }
    }

    private void publishedTables(String targetName, Connection target) throws SQLException {
        List<String> publications = Sql.strings(target, PUBLICATIONS_OF_ALL);
        if (!publications.isEmpty()) {
            add(
                    WITHOUT_IDENTITY,
                    "have no replica identity, so that their rows could not be updated or deleted in database "
                            + targetName + ", which publishes all tables (publication "
                            + String.join(", ", publications)
                            + "): ",
                    " Give them a primary key, or REPLICA IDENTITY FULL.");
        }
    }

    private static List<String> hiddenRows(
            String sourceName, Connection source, String targetName, Connection target, String schema)
            throws SQLException {
        List<String> obstacles = new ArrayList<>();
        List<String> active = Sql.strings(source, SECURED, schema);
        if (!active.isEmpty()) {
            obstacles.add(hidden(sourceName, source, schema, active));
        }
        List<String> forced = Sql.strings(source, SECURED_FOR_OWNER, schema);
        if (!forced.isEmpty() && !Sql.is(target, BYPASSES)) {
            obstacles.add(hidden(targetName, target, schema, forced));
        }
        return obstacles;
    }

    private static String hidden(String database, Connection connection, String schema, List<String> tables)
            throws SQLException {
        String role = Sql.text(connection, "SELECT quote_ident(current_user)");
        return "Row level security of these tables in schema " + schema + " applies to role " + role + " in database "
                + database + ", so that rows would be missing: " + String.join(", ", tables) + ". Run ALTER ROLE "
                + role + " BYPASSRLS there, or ALTER TABLE … NO FORCE ROW LEVEL SECURITY in a migration.";
    }

    private static List<String> missing(
            String sourceName, Connection source, String targetName, Connection target, String schema)
            throws SQLException {
        @Nullable Object[] schemas = new Object[SCHEMAS];
        Arrays.fill(schemas, schema);
        List<String> missing = new ArrayList<>();
        for (List<@Nullable String> object : Sql.rows(source, OBJECTS, schemas)) {
            if (!exists(target, object.get(0), object.get(1), object.get(2))) {
                missing.add(String.valueOf(object.get(3)));
            }
        }
        for (String role : Sql.strings(source, ROLES, schemas)) {
            if (Sql.number(target, "SELECT count(*) FROM pg_roles WHERE rolname = ?::name", role) == 0) {
                missing.add("role " + role);
            }
        }
        return missing.isEmpty()
                ? List.of()
                : List.of("Schema " + schema + " of database " + sourceName + " needs these, which database "
                        + targetName + " lacks: " + String.join(", ", missing) + ". Create them there.");
    }

    private static boolean exists(Connection target, @Nullable String... address) throws SQLException {
        try {
            Sql.rows(target, EXISTS, (Object[]) address);
            return true;
        } catch (SQLException e) {
            if (isUndefined(String.valueOf(e.getSQLState()))) {
                return false;
            }
            throw e;
        }
    }

    /** Classes of SQL states: undefined schema, and objects that are undefined or of another kind. */
    private static boolean isUndefined(String state) {
        return state.equals("3F000") || state.startsWith("427") || state.equals("42883") || state.equals("42P01");
    }
}
