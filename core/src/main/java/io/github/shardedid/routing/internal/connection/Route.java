package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.topology.ShardMap;
import org.jspecify.annotations.Nullable;

/**
 * The decision about one statement: its text and what that does, its target, the shard map by which the
 * target's database was found, and the connection over which it is sent.
 *
 * <p>All of them are asked for once. An execution only compares the scope, the map and the write binding of
 * then with those of now, since other statements may be executed between the preparation and the execution.
 * Immutable: a statement that follows its shard gets another route.
 *
 * @param sql the text of the application
 * @param analysis what the text does, and whose schemas it names
 * @param target where it goes
 * @param schema the schema of the target
 * @param map the map by which the database was found; null until then, and where a replica was left
 * @param connection the connection; null until there is one
 * @param waitExceeded whether it has waited for its shard for so long that it is sent there anyway
 * @param commit the commit that is sent in the round trip of the statement; null if it is a part of the
 *     transaction
 */
public record Route(
        String sql,
        SqlAnalysis analysis,
        Target.Single target,
        String schema,
        @Nullable ShardMap map,
        @Nullable PhysicalConnection connection,
        boolean waitExceeded,
        @Nullable SingleTripCommit commit) {
    /** Returns the same statement over another connection, found by a map. */
    public Route over(
            PhysicalConnection other, @Nullable ShardMap found, boolean exceeded, @Nullable SingleTripCommit single) {
        return new Route(sql, analysis, target, schema, found, other, exceeded, single);
    }

    /**
     * Returns the connection.
     *
     * @throws IllegalStateException if there is none yet, which is a mistake of the caller
     */
    public PhysicalConnection physical() {
        if (connection == null) {
            throw new IllegalStateException("Not connected yet: " + sql);
        }
        return connection;
    }

    /** Returns whether the database was found by this map, so that nothing about it has changed since. */
    @SuppressWarnings("ReferenceEquality") // maps are replaced as a whole
    public boolean isDecidedBy(ShardMap now) {
        return map == now;
    }

    /**
     * Returns the text for the driver: with the schema of the target, and behind it, if the commit goes with
     * it, what makes it fail unless it has written one row.
     */
    public String sqlToSend() {
        String named = analysis.namesSchema() ? analysis.inSchema(schema) : sql;
        return commit == null
                ? named
                : SingleTripCommit.textOf(named, physical().isClaiming());
    }
}
