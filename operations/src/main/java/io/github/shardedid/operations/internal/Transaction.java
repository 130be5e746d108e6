package io.github.shardedid.operations.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs statements in one transaction of a connection that is otherwise in autocommit mode, under the path of {@link SearchPath#pin}. */
public final class Transaction {
    private Transaction() {}

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
    public static void run(Connection connection, Sql.Work work) throws SQLException {
        Sql.transaction(connection, () -> {
            Sql.execute(connection, "SET LOCAL search_path = " + SearchPath.PINNED);
            work.run();
        });
    }
}
