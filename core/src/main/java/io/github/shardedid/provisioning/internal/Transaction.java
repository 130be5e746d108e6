package io.github.shardedid.provisioning.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs statements in one transaction of a connection that is otherwise in autocommit mode. */
public final class Transaction {
    private Transaction() {}

    /** What is done in the transaction. */
    @FunctionalInterface
    public interface Work {
        /** Runs; an exception rolls everything back. */
        void run() throws SQLException;
    }

    /** Commits what the work did, or rolls it back and passes the exception on. */
    public static void run(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
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
