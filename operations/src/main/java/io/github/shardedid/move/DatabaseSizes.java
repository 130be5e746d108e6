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

/**
 * The sizes of the shards of a database. The query reads the sizes of the files of all their tables, so its time is
 * bounded.
 */
public final class DatabaseSizes {
    private DatabaseSizes() {}

    /**
     * Asks a database.
     *
     * @param database the database; its connection is returned with its settings restored
     * @param longest timeout of the query, 1 ms or more
     * @return the bytes of each shard whose schema is there, a copy that a move has left included: tables with their indexes
     *     and large values; ordered by shard
     * @throws SQLException if the database cannot be reached or the timeout has passed
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
