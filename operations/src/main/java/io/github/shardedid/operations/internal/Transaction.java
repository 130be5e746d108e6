package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs statements in one transaction of a connection that is otherwise in autocommit mode. Their search path names PostgreSQL's own
 * schema only: elsewhere anybody may have created functions and operators that fit a statement better than PostgreSQL's, and would run
 * them with the rights of the schemas' owner.
 */
public final class Transaction {
    private Transaction() {}

    /** What is done in the transaction. */
    @FunctionalInterface
    public interface Work {
        /** Runs; an exception rolls everything back. */
        void run() throws SQLException;
    }

    /** What is read in the transaction. */
    @FunctionalInterface
    public interface Query<T> {
        /** Runs; an exception ends the transaction. */
        T run() throws SQLException;
    }

    /** Returns what the query returns. */
    public static <T> T read(Connection connection, Query<T> query) throws SQLException {
        List<T> result = new ArrayList<>(1);
        run(connection, () -> result.add(query.run()));
        return result.get(0);
    }

    /** Commits what the work did, or rolls it back and passes the exception on. */
    public static void run(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            execute(connection, "SET LOCAL search_path = " + SearchPath.PINNED);
            work.run();
            connection.commit();
            committed = true;
        } finally {
            if (!connection.isClosed()) {
                if (!committed) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        }
    }

    /** Runs SQL without parameters; several statements are separated by semicolons. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }
}
