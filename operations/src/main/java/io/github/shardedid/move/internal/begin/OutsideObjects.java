package io.github.shardedid.move.internal.begin;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a shard's schema refers to outside of itself, such as types of extensions, collations, functions, tables and roles, and the
 * target lacks.
 */
final class OutsideObjects {
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

    private OutsideObjects() {}

    static List<String> missing(
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
