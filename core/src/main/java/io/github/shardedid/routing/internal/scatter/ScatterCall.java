package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The request of one execution of a query over several shards. Immutable, as the workers of several databases
 * read it.
 *
 * @param query the query
 * @param analysis what its text does
 * @param parameters its parameters, as they were when it was executed
 * @param shards the shards to ask
 * @param databases those of which it is known what the query means there
 * @param settings the settings of the connections for it
 * @param local what the caller's transaction has set, as columns of a query
 * @param bounds which of the merged rows are wanted
 * @param fetchSize how many rows of a statement are fetched at a time, within a transaction; 0 for all at once
 * @param deadline by {@link System#nanoTime}, when it is to be over; 0 for never
 * @param replicas which replicas may be asked; null if none may
 * @param writers the connections on which the caller's transaction has written, or may have, by which their
 *     databases are asked
 * @param waited whether a shard was waited for in vain, so that all is sent to where the map says that it was
 */
record ScatterCall(
        ScatterQuery query,
        SqlAnalysis analysis,
        ScatterParameters parameters,
        ShardSet shards,
        Set<String> databases,
        ConnectionSettings settings,
        String local,
        ScatterBounds bounds,
        int fetchSize,
        long deadline,
        @Nullable ReplicaReads replicas,
        List<PhysicalConnection> writers,
        boolean waited) {
    /**
     * Returns the connection over which the shards on a database are asked, if the caller's transaction has
     * written there; else null.
     */
    @Nullable
    PhysicalConnection writerOn(String database) {
        return writers.stream()
                .filter(writer -> writer.database().equals(database))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether rows are fetched as they are read. */
    boolean streams() {
        return fetchSize > 0;
    }

    /** Prepares the statement of a chunk. */
    PreparedStatement prepare(Connection target, String sql) throws SQLException {
        if (streams()) {
            PreparedStatement statement = target.prepareStatement(sql);
            statement.setFetchSize(fetchSize);
            return statement;
        }
        // Scrollable costs nothing, as the driver holds all rows anyway; and they can be counted.
        return target.prepareStatement(sql, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
    }

    /**
     * Returns the rows of a query.
     *
     * @param before how many results come before: those of the settings, the savepoint and the path
     */
    static ResultSet rows(PreparedStatement statement, int before) throws SQLException {
        for (int i = 0; i < before; i++) {
            statement.getMoreResults();
        }
        ResultSet rows = statement.getResultSet();
        if (rows == null) {
            throw new SQLException("The statement did not return a result set.", "07005");
        }
        return rows;
    }

    /** Returns the seconds that are left, at least 1; 0 for no bound; -1 if there are none. */
    int secondsLeft() {
        if (deadline == 0) {
            return 0;
        }
        long left = deadline - System.nanoTime();
        return left <= 0 ? -1 : (int) Math.max(1, TimeUnit.NANOSECONDS.toSeconds(left + 999_999_999));
    }
}
