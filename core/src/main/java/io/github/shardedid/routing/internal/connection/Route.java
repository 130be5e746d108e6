package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.topology.ShardMap;
import org.jspecify.annotations.Nullable;

/**
 * The decision about one statement: its text and what that does, its target, the shard map by which the target's database was found, and
 * the connection over which it is sent. All of them are asked once. An execution only compares the scope, the map and the write binding
 * of then with those of now. For one thread at a time.
 */
public final class Route {
    private final String sql;
    private final SqlAnalysis analysis;
    private final Target.Single target;
    private final String schema;
    private @Nullable ShardMap map;
    private @Nullable PhysicalConnection physical;
    private boolean waitExceeded;
    private @Nullable SingleTripCommit commit;

    public Route(String sql, SqlAnalysis analysis, Target.Single target, String schema) {
        this.sql = sql;
        this.analysis = analysis;
        this.target = target;
        this.schema = schema;
    }

    /** Returns the same statement without a connection: where its shard is has to be asked again. */
    public Route undecided() {
        return new Route(sql, analysis, target, schema);
    }

    /** Returns the same statement over another connection, as a part of the transaction. */
    public Route over(PhysicalConnection other, boolean exceeded) {
        Route route = undecided();
        route.connect(other, map, exceeded, null);
        return route;
    }

    /**
     * Completes the decision.
     *
     * @param found the map by which the database was found
     * @param exceeded whether it has waited for its shard for so long that it is sent there anyway
     * @param single its commit, if it is a transaction of its own
     */
    public void connect(
            PhysicalConnection connection,
            @Nullable ShardMap found,
            boolean exceeded,
            @Nullable SingleTripCommit single) {
        physical = connection;
        map = found;
        waitExceeded = exceeded;
        commit = single;
    }

    public String sql() {
        return sql;
    }

    public SqlAnalysis analysis() {
        return analysis;
    }

    public Target.Single target() {
        return target;
    }

    /** Returns the schema of the target. */
    public String schema() {
        return schema;
    }

    public PhysicalConnection physical() {
        PhysicalConnection connected = physical;
        if (connected == null) {
            throw new IllegalStateException("Not connected yet: " + sql);
        }
        return connected;
    }

    /** Returns whether the database was found by this map, so that nothing about it has changed since. */
    @SuppressWarnings("ReferenceEquality") // maps are replaced as a whole
    public boolean isDecidedBy(ShardMap now) {
        return map == now;
    }

    public boolean waitExceeded() {
        return waitExceeded;
    }

    /** Returns the commit that is sent in the round trip of the statement; null if it is a part of the transaction. */
    public @Nullable SingleTripCommit commit() {
        return commit;
    }

    public String sqlToSend() {
        String named = analysis.namesSchema() ? analysis.inSchema(schema) : sql;
        return commit == null ? named : SingleTripCommit.textOf(named);
    }
}
