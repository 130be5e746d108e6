package io.github.shardedid.move;

import io.github.shardedid.move.internal.plan.ShardSizes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** How much room the shards of a database take. Asking looks at the files of all their tables, so it takes time, which is bounded. */
public final class DatabaseSizes {
    private DatabaseSizes() {}

    /**
     * Asks a database.
     *
     * @param database where to ask; its connection is given back as it was
     * @param longest after which the database gives up, 1 ms or more
     * @return the bytes of each shard whose schema is there, a copy that a move has left included: tables with their indexes
     *     and large values; ordered by shard
     * @throws SQLException if the database cannot be reached or gave up
     */
    public static Map<Integer, Long> of(DataSource database, Duration longest) throws SQLException {
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement bound = connection.createStatement()) {
                bound.execute("SET LOCAL statement_timeout = " + Math.max(1, longest.toMillis()));
                return Collections.unmodifiableMap(new TreeMap<>(ShardSizes.of(connection)));
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        }
    }
}
