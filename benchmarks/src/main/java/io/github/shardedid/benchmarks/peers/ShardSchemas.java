package io.github.shardedid.benchmarks.peers;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The shard that the current thread works in, as an application keeps it that routes whole connections by itself. */
final class ShardSchemas {
    private static final ThreadLocal<Integer> CURRENT = ThreadLocal.withInitial(() -> 0);

    private ShardSchemas() {}

    static int current() {
        return CURRENT.get();
    }

    static void within(int shard, Runnable work) {
        CURRENT.set(shard);
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
    }

    /** Makes the schema of a shard the one in which the connection's statements find their tables. */
    static Connection use(Connection connection, int shard) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = " + ShardSchema.nameOf(shard));
        }
        return connection;
    }
}
