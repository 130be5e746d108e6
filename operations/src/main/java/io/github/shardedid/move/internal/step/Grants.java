package io.github.shardedid.move.internal.step;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The privileges of other roles on a schema: statements that revoke them, and that grant them again. */
record Grants(List<String> revoke, List<String> grant) {
    private static final String OTHERS = "SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(g.rolname) END,"
            + " a.privilege_type, a.is_grantable FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a"
            + " LEFT JOIN pg_roles g ON g.oid = a.grantee WHERE n.nspname = ? AND a.grantee <> n.nspowner ORDER BY 1, 2";

    static Grants of(Connection connection, String schema) throws SQLException {
        List<String> revoke = new ArrayList<>();
        List<String> grant = new ArrayList<>();
        for (List<@Nullable String> row : Sql.rows(connection, OTHERS, schema)) {
            String what = row.get(1) + " ON SCHEMA " + schema;
            revoke.add("REVOKE " + what + " FROM " + row.get(0) + " CASCADE");
            grant.add("GRANT " + what + " TO " + row.get(0) + ("t".equals(row.get(2)) ? " WITH GRANT OPTION" : ""));
        }
        return new Grants(revoke, grant);
    }
}
