package io.github.shardedid.operations.internal;

import io.github.shardedid.move.internal.journal.Tables;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The search path of a mover's session: PostgreSQL's own names only. In other schemas anybody may have put functions and operators
 * that fit a statement better than PostgreSQL's, and would run them with the mover's rights. Tables are always named with their schema.
 */
public final class PinnedPath {
    private static final String PIN = "SELECT pg_catalog.set_config('sharded_id.search_path',"
            + " pg_catalog.current_setting('search_path'), false),"
            + " pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)";
    private static final String RELEASE = "SELECT pg_catalog.set_config('search_path',"
            + " pg_catalog.current_setting('sharded_id.search_path'), false)";

    private PinnedPath() {}

    /** For the session; what it was is remembered there. */
    public static void pin(Connection connection) throws SQLException {
        Sql.rows(connection, PIN);
    }

    /** As it was, for the application's own scripts. */
    public static void release(Connection connection) throws SQLException {
        Sql.rows(connection, RELEASE);
    }
}
