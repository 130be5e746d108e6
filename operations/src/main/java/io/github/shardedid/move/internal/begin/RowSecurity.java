package io.github.shardedid.move.internal.begin;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Finds tables whose row level security would hide rows from the mover, or keep it from writing them. */
final class RowSecurity {
    private static final String ACTIVE = "SELECT c.relname FROM pg_class c WHERE c.relnamespace = ?::regnamespace"
            + " AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND row_security_active(c.oid) ORDER BY 1";

    /** At the target, the mover's role or one that it is a member of owns the tables. */
    private static final String FORCED = "SELECT c.relname FROM pg_class c WHERE c.relnamespace = ?::regnamespace"
            + " AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND c.relforcerowsecurity ORDER BY 1";

    private static final String BYPASSES = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";

    private RowSecurity() {}

    static List<String> obstacles(
            String sourceName, Connection source, String targetName, Connection target, String schema)
            throws SQLException {
        List<String> obstacles = new ArrayList<>();
        List<String> active = Sql.strings(source, ACTIVE, schema);
        if (!active.isEmpty()) {
            obstacles.add(obstacle(sourceName, source, schema, active));
        }
        List<String> forced = Sql.strings(source, FORCED, schema);
        if (!forced.isEmpty() && !Sql.is(target, BYPASSES)) {
            obstacles.add(obstacle(targetName, target, schema, forced));
        }
        return obstacles;
    }

    private static String obstacle(String database, Connection connection, String schema, List<String> tables)
            throws SQLException {
        String role = Sql.text(connection, "SELECT quote_ident(current_user)");
        return "Row level security of these tables in schema " + schema + " applies to role " + role + " in database "
                + database + ", so that rows would be missing: " + String.join(", ", tables) + ". Run ALTER ROLE "
                + role + " BYPASSRLS there, or ALTER TABLE … NO FORCE ROW LEVEL SECURITY in a migration.";
    }
}
