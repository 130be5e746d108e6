package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.RoutingListener.Watch;
import java.sql.SQLException;

/**
 * Executions that a listener follows. The watch receives a failure before it is closed, also an unchecked one,
 * so that observations of a failed statement are not those of a successful one.
 */
public final class Executions {
    private Executions() {}

    /** Something that a watch follows. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    /** Does work, notifies a watch of its failure, and closes the watch in any case. */
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
