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

    /** The same with a result. */
    public static <T> T read(Connection connection, Sql.Query<T> query) throws SQLException {
        return Sql.transaction(connection, () -> {
            Sql.execute(connection, "SET LOCAL search_path = " + SearchPath.PINNED);
            return query.run();
        });
    }
}
