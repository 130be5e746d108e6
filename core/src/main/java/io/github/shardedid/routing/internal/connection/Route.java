package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.topology.ShardMap;
import org.jspecify.annotations.Nullable;

/**
 * The decision about one statement: its text and what that does, its target, the shard map by which the target's database was found, and
 * the connection over which it is sent. All of them are asked once. An execution only compares the scope, the map and the write binding
 * of then with those of now.
 *
 * @param schema the schema of the target
 * @param map the map by which the database was found; null until then
 * @param connection null until there is one
 * @param waitExceeded whether it has waited for its shard for so long that it is sent there anyway
 * @param commit the commit that is sent in the round trip of the statement; null if it is a part of the transaction
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
    /** Creates a decision about the target only. */
    public Route(String sql, SqlAnalysis analysis, Target.Single target, String schema) {
        this(sql, analysis, target, schema, null, null, false, null);
    }

    /** Returns the same statement over another connection, as a part of the transaction. */
    public Route over(PhysicalConnection other, boolean exceeded) {
        return over(other, map, exceeded, null);
    }

    /** Returns the same statement over another connection, found by a map. */
    public Route over(
            PhysicalConnection other, @Nullable ShardMap found, boolean exceeded, @Nullable SingleTripCommit single) {
        return new Route(sql, analysis, target, schema, found, other, exceeded, single);
    }

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

    public String sqlToSend() {
        String named = analysis.namesSchema() ? analysis.inSchema(schema) : sql;
        return commit == null ? named : SingleTripCommit.textOf(named);
    }
}
