package io.github.shardedid.provisioning.internal.migration;

import io.github.shardedid.operations.internal.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** A schema that was filled before a tool managed it. */
public final class FilledSchema {
    /** Neither the leases, which provisioning creates, nor the table that Liquibase creates before its first change set. */
    private static final String FILLED = "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace n"
            + " JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass::pg_catalog.oid"
            + " AND d.refobjid = n.oid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid"
            + " JOIN pg_catalog.pg_class c ON c.oid = d.objid"
            + " WHERE n.nspname = cast(? AS pg_catalog.name) AND c.relname NOT IN ('sharded_id_lease', 'databasechangelog'))";

    private FilledSchema() {}

    /** Whether a schema has tables, views or sequences of the application. */
    public static boolean is(Connection connection, String schema) throws SQLException {
        return Sql.is(connection, FILLED, schema);
    }
}
