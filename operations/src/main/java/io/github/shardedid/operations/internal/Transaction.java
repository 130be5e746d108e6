package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;

/** Runs statements in one transaction of a connection that is otherwise in autocommit mode, under the path of {@link SearchPath#pin}. */
public final class Transaction {
    private Transaction() {}

    /** Commits what the work did, or rolls it back and passes the exception on. */
    public static void run(Connection connection, Sql.Work work) throws SQLException {
        read(connection, () -> {
            work.run();
            return true;
        });
    }

    /** Commits what the query did and returns its result, or rolls it back and passes the exception on. */
    public static <T> T read(Connection connection, Sql.Query<T> query) throws SQLException {
        return read(connection, "", query);
    }

    /** Runs a query at an isolation level, which is set by the first statement, before which a driver with {@code autosave} sets no savepoint. */
    public static <T> T read(Connection connection, String level, Sql.Query<T> query) throws SQLException {
        String isolation = level.isEmpty() ? "" : "SET TRANSACTION ISOLATION LEVEL " + level + "; ";
        return Sql.transaction(connection, () -> {
            Sql.execute(connection, isolation + "SET LOCAL search_path = " + SearchPath.PINNED);
            return query.run();
        });
    }
}
