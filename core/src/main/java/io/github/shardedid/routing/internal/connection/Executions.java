package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener.Watch;
import java.sql.SQLException;

/** Executions that a listener follows. */
public final class Executions {
    private Executions() {}

    /** Something that a watch follows. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    public static <T> T watched(Watch watch, Work<T> work) throws SQLException {
        try {
            return work.run();
        } catch (SQLException | RuntimeException e) {
            watch.failed(e);
            throw e;
        } finally {
            watch.close();
        }
    }
}
