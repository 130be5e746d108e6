package io.github.shardedid.operations.internal;

import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Sets and restores the search path of a connection. While the cluster's own statements run it names PostgreSQL's
 * own schema only: elsewhere anybody may have created functions and operators that fit a statement better than PostgreSQL's, and would
 * run them with the rights of the schemas' owner.
 */
public final class SearchPath {
    /** PostgreSQL's own schema only, and temporary objects last. */
    public static final String PINNED = "pg_catalog, pg_temp";

    private static final String PIN = Sql.load(SearchPath.class, "pin_path.sql");

    private static final String RELEASE = Sql.load(SearchPath.class, "release_path.sql");

    private SearchPath() {}

    /** Runs something that may change the path under one that names no shard; restores the settings of the connection afterwards. */
    public static <T> T keeping(Connection connection, CommonSchemas common, Sql.Query<T> work) throws SQLException {
        String before = of(connection);
        try {
            nameNoShard(connection, common);
            return work.run();
        } finally {
            if (!connection.isClosed()) {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
                restore(connection, before);
            }
        }
    }

    /** Runs something under a path of PostgreSQL's own schema only. The session must be the connection's own, as under a session's lock. */
    public static <T> T pinned(Connection connection, Sql.Query<T> work) throws SQLException {
        pin(connection);
        try (Release release = () -> release(connection)) {
            return work.run();
        }
    }

    private interface Release extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    /** Sets a path of PostgreSQL's own schema only. The session remembers what it was. Not to be nested. */
    public static void pin(Connection connection) throws SQLException {
        Sql.rows(connection, PIN);
    }

    /** Sets the path that was there before {@link #pin}. Does nothing if the connection is closed. */
    public static void release(Connection connection) throws SQLException {
        if (!connection.isClosed()) {
            Sql.rows(connection, RELEASE);
        }
    }

    /** Returns the current path. */
    public static String of(Connection connection) throws SQLException {
        return String.valueOf(Sql.text(connection, "SELECT pg_catalog.current_setting('search_path')"));
    }

    /** Sets a path of the common schemas, so that Flyway, which puts the migrated schema before them, sees no other shard. */
    public static void nameNoShard(Connection connection, CommonSchemas common) throws SQLException {
        Sql.execute(connection, "SELECT pg_catalog.set_config('search_path', " + common.sql() + ", false)");
    }

    /** Sets the path for the session; within a transaction, if it is committed. */
    public static void restore(Connection connection, String searchPath) throws SQLException {
        Sql.rows(connection, "SELECT pg_catalog.set_config('search_path', ?, false)", searchPath);
    }
}
