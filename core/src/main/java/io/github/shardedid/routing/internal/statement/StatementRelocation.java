package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.routing.internal.connection.NonTransactionalReads;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import io.github.shardedid.topology.ShardMap;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds the databases for the statements of one routed connection whose shards are on their way to another database. */
public record StatementRelocation(
        Databases databases,
        Relocations relocations,
        PhysicalConnections physical,
        ConnectionSettings settings,
        NonTransactionalReads reads) {
    /**
     * The database of a target: the one on which the transaction has used it, as it cannot have left that; else the one that owns it, which
     * is waited for if it is about to change.
     */
    public String database(Target.Single target) throws SQLException {
        relocations.requireYoungMap();
        await(target, databases.map());
        return databaseAsKnown(target, databases.map());
    }

    /** Returns the map to decide by, which is not too old. */
    ShardMap map() {
        relocations.requireYoungMap();
        return databases.map();
    }

    /** Waits for a target whose database is about to change by a map, and returns whether that has taken too long. */
    boolean await(Target.Single target, ShardMap map) throws SQLException {
        if (!(target instanceof Target.Shard shard) || !isDeferred(target, map)) {
            return false;
        }
        if (!relocations.isStuck(shard.number())) {
            String database = databases.databaseOf(target);
            requireFollowing(shard.number(), database, null);
            PhysicalConnection kept = physical.pinnedOn(database);
            if (kept != null && !kept.isInTransaction()) {
                physical.giveUp(kept);
            }
        }
        try {
            return relocations.await(shard.number()) == Outcome.TIMED_OUT;
        } catch (ShardFencedException e) {
            if (!settings.autoCommit) {
                reads.failedOn(e.from());
            }
            throw e;
        }
    }

    /** Returns the database without waiting, for what is not sent to the shard itself. */
    public String databaseAsKnown(Target.Single target, ShardMap map) throws SQLException {
        String used = used(target);
        return used != null ? used : databases.databaseOf(target, map);
    }

    private @Nullable String used(Target.Single target) {
        return settings.autoCommit ? null : physical.databaseThatUsed(target);
    }

    /** Returns whether a new statement for a target would have to wait, by a map. */
    boolean isDeferred(Target.Single target, ShardMap map) {
        return target instanceof Target.Shard shard && map.isFenced(shard.number()) && used(target) == null;
    }

    /** Whether a statement should not be executed where it is, as its shard has left, or is about to, as far as is known. */
    public boolean isElsewhere(Route route) {
        PhysicalConnection current = route.physical();
        return !route.isDecidedBy(map())
                && !relocations.isServed(route.target(), current.database())
                && !route.waitExceeded()
                && relocations.isKnown(route.target())
                && !current.isReleased()
                && !(current.isInTransaction() && current.use().has(route.target()));
    }

    /** Whether a failure of a statement takes nothing with it that the transaction has done before. */
    public boolean isFresh(Route route) {
        PhysicalConnection current = route.physical();
        return !current.isInTransaction() || !current.use().touched;
    }

    /** Whether a statement may have failed since its shard is no longer where it was sent. */
    public boolean mayBeLeft(Route route, SQLException failure) {
        return !route.physical().isReplica() && Relocations.mayBeLeft(route.target(), failure);
    }

    /** What to throw for such a failure if the statement cannot be repeated. */
    public SQLException unrepeatable(Route route, SQLException failure) {
        return relocations.unrepeatable(shardOf(route), route.physical().database(), failure);
    }

    /** The number of the shard of a statement that has met a move; the global entities do not move. */
    private static int shardOf(Route route) {
        return shardOf(route.target());
    }

    private static int shardOf(Target.Single target) {
        if (target instanceof Target.Shard shard) {
            return shard.number();
        }
        throw new IllegalStateException("Not a shard: " + target);
    }

    /** A statement looks for its shard. */
    public ShardSearch search(Route route) {
        return relocations.search(route.waitExceeded());
    }

    /** Before a statement that was not executed yet, and has let go of its connection, goes elsewhere. */
    public void leave(Route route) throws SQLException {
        if (isFresh(route)) {
            physical.giveUp(route.physical());
        }
        requireFollowing(shardOf(route), route.physical().database(), null);
    }

    /** Others may wait for this thread, so that it must not wait for a shard. */
    private void requireFollowing(int shard, String database, @Nullable SQLException failure) throws SQLException {
        if (!settings.following) {
            throw left(shard, database, failure);
        }
    }

    private static ShardMovedException left(int shard, String database, @Nullable SQLException failure) {
        return new ShardMovedException(
                "Shard " + shard + " has left database " + database + ", or is about to: prepare the statement again.",
                shard,
                database,
                null,
                true,
                failure);
    }

    /**
     * Returns the connection to a shard's database that stays with the transaction; null in autocommit. While the connection does not
     * follow shards, none is taken from a pool.
     */
    public @Nullable PhysicalConnection pinned(int shard) throws SQLException {
        databases.requireShard(shard);
        Target.Shard target = Target.shard(shard);
        ShardMap map = databases.map();
        if (settings.following) {
            await(target, map());
            map = databases.map();
        }
        if (settings.autoCommit) {
            return null;
        }
        String database = databaseAsKnown(target, map);
        if (!settings.following) {
            return physical.pinnedOn(database);
        }
        boolean apart = settings.defersBegin() && !settings.isReadOnly();
        return apart ? physical.pin(database, target) : physical.on(database, target, true);
    }

    /** The connection over which ids are being reserved. Another one would not be kept: then the reservation has to begin again. */
    public PhysicalConnection reserving(String database, Target.Single target) throws SQLException {
        PhysicalConnection kept = physical.pinnedOn(database);
        if (kept == null || kept.isInTransaction()) {
            throw left(shardOf(target), database, null);
        }
        return kept;
    }

    /**
     * Before a statement that has failed, has taken nothing with it and has let go of its connection is sent again: waits until
     * its shard is somewhere.
     *
     * @throws SQLException if it cannot be sent again: then the transaction counts as failed, as after any other failure
     */
    public void find(Route route, ShardSearch search, SQLException failure) throws SQLException {
        physical.giveUp(route.physical());
        if (!settings.following) {
            relocations.askSince(System.nanoTime());
            requireFollowing(shardOf(route), route.physical().database(), failure);
        }
        try {
            relocations.find(shardOf(route), route.physical().database(), search, failure);
        } catch (SQLException e) {
            if (!settings.autoCommit) {
                reads.failedOn(route.physical().database());
            }
            throw e;
        }
    }
}
