package io.github.shardedid.provisioning.internal;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of common schemas in which roles may create objects that are not trusted with those of the owner. They are on the search path
 * of Flyway, the application's scripts and its statements, which run functions and operators there that fit better than PostgreSQL's.
 */
public final class WritableSchemas {
    private static final Logger LOG = LoggerFactory.getLogger(WritableSchemas.class);

    private static final String WRITABLE =
            """
            SELECT pg_catalog.quote_ident(n.nspname), CASE a.grantee WHEN 0::oid THEN 'PUBLIC' ELSE pg_catalog.quote_ident(r.rolname) END
            FROM (SELECT %s AS path) common
            JOIN pg_catalog.pg_namespace n
              ON pg_catalog.strpos(pg_catalog.concat(', ', common.path, ','), pg_catalog.concat(', ', pg_catalog.quote_ident(n.nspname), ',')) > 0
            CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) a
            LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
            WHERE a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner AND r.rolsuper IS NOT TRUE
              AND (r.oid IS NULL OR NOT pg_catalog.pg_has_role(r.oid,
                (SELECT o.nspowner FROM pg_catalog.pg_namespace o WHERE o.nspname = 'sharded_id'), 'MEMBER'))
            ORDER BY 1, 2
            """;

    private WritableSchemas() {}

    /** The search path is pinned. */
    public static void warn(String database, Connection connection, CommonSchemas common) throws SQLException {
        for (List<@Nullable String> row : Sql.rows(connection, WRITABLE.formatted(common.sql()))) {
            LOG.warn(
                    "Database {}: {} may create objects in schema {}, which is on every search path. Functions and"
                            + " operators there can be run by the owner's migrations and by the application. Run REVOKE"
                            + " CREATE ON SCHEMA {} FROM {}",
                    database,
                    row.get(1),
                    row.get(0),
                    row.get(0),
                    row.get(1));
        }
    }
}
