package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import io.github.shardedid.topology.ShardMap;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the databases for the statements of one routed connection whose shards are on their way to another
 * database. For one thread at a time.
 *
 * <p>{@link Relocations} knows where shards are, and this class what the transaction has done: a shard that the
 * transaction has used cannot leave before its end, since the move waits for its locks. So such a statement
 * never waits for the move, or both would wait for each other.
 *
 * @param databases the shard map
 * @param relocations waits for shards
 * @param connections the connections, which tell what the transaction has used
 * @param settings the settings of the connection
 * @param transaction the transaction of the connection
 */
public record StatementRelocation(
        Databases databases,
        Relocations relocations,
        PhysicalConnections connections,
        ConnectionSettings settings,
        Transaction transaction) {
    /**
     * Returns the database of a target: the one on which the transaction has used it, as it cannot have left
     * that; else the one that owns it, which is waited for if it is about to change.
     */
    public String database(Target.Single target) throws SQLException {
        await(target, map());
        return databaseAsKnown(target, databases.map());
    }

    /** Returns the map to decide by, which is not too old. */
    ShardMap map() {
        relocations.requireYoungMap();
        return databases.map();
    }

    /**
     * Waits for a target whose database is about to change by a map. A connection that only stays with the
     * transaction is given up before, so that none is held during the wait.
     *
     * @return whether that has taken too long
     */
    boolean await(Target.Single target, ShardMap map) throws SQLException {
        if (!(target instanceof Target.Shard shard) || !isDeferred(target, map)) {
            return false;
        }
        String database = databases.databaseOf(shard.number());
        if (!relocations.isStuck(shard.number())) {
            requireFollowing(shard.number(), database, null);
            PhysicalConnection kept = connections.pinnedOn(database);
            if (kept != null && !kept.isInTransaction()) {
                connections.giveUp(kept);
            }
        }
        try {
            return relocations.await(shard.number(), database, relocations.search(false)) == Outcome.TIMED_OUT;
        } catch (ShardFencedException e) {
            if (!settings.autoCommit) {
                transaction.failedOn(e.from());
            }
            throw e;
        }
    }

    /** Returns the database of a target without waiting for its shard, by a map. */
    public String databaseAsKnown(Target.Single target, ShardMap map) throws SQLException {
        String used = used(target);
        return used != null ? used : databases.databaseOf(target, map);
    }

    /** Returns the database on which the transaction has used a target; null if it has not. */
    private @Nullable String used(Target.Single target) {
        PhysicalConnection used = settings.autoCommit ? null : connections.thatUsed(target);
        return used == null ? null : used.database();
    }

    /** Returns whether a new statement for a target would have to wait, by a map. */
    boolean isDeferred(Target.Single target, ShardMap map) {
        return target instanceof Target.Shard shard && map.isFenced(shard.number()) && used(target) == null;
    }

    /**
     * Returns whether a statement should not be executed where it was prepared, as its shard has left, or is
     * about to, as far as is known. The map is compared first, since it mostly is the one by which the
     * statement was routed.
     */
    public boolean isElsewhere(Route route) {
        PhysicalConnection current = route.physical();
        return !route.isDecidedBy(map())
                && !relocations.isServed(route.target(), current.database())
                && !route.waitExceeded()
                && relocations.isKnown(route.target())
                && !current.isReleased()
                && !(current.isInTransaction() && current.hasUsed(route.target()));
    }

    /** Returns whether a failure of a statement undoes nothing that the transaction has done before. */
    public boolean undoesNothingElse(Route route) {
        PhysicalConnection current = route.physical();
        return !current.isInTransaction() || !current.touched;
    }

    /**
     * Returns whether a statement may have failed because its shard is no longer where it was sent. A replica
     * may only lag behind.
     */
    public boolean mayHaveMoved(Route route, SQLException failure) {
        return !route.physical().isReplica() && Relocations.mayHaveMoved(route.target(), failure);
    }

    /** Returns what to throw for such a failure if the statement cannot be repeated. */
    public SQLException unrepeatable(Route route, SQLException failure) {
        return relocations.unrepeatable(
                shardOf(route.target()), route.physical().database(), failure);
    }

    /** Returns the number of the shard of a statement that has met a move; the global entities do not move. */
    private static int shardOf(Target.Single target) {
        if (target instanceof Target.Shard shard) {
            return shard.number();
        }
        throw new IllegalStateException("Not a shard: " + target);
    }

    /** Returns a new search for the shard of a statement. */
    public ShardSearch search(Route route) {
        return relocations.search(route.waitExceeded());
    }

    /** Lets go of the connection of a statement that was not executed yet, before it is sent elsewhere. */
    public void leave(Route route) throws SQLException {
        if (undoesNothingElse(route)) {
            connections.giveUp(route.physical());
        }
        requireFollowing(shardOf(route.target()), route.physical().database(), null);
    }

    /**
     * Fails if this thread must not wait for a shard, as others may wait for the thread.
     *
     * @throws ShardMovedException if so
     */
    private void requireFollowing(int shard, String database, @Nullable SQLException failure) throws SQLException {
        if (!settings.following) {
            throw moved(shard, database, failure);
        }
    }

    private static ShardMovedException moved(int shard, String database, @Nullable SQLException failure) {
        return new ShardMovedException(
                "Shard " + shard + " has left database " + database + ", or is about to: prepare the statement again.",
                shard,
                database,
                null,
                true,
                failure);
    }

    /**
     * Returns the connection to a shard's database that stays with the transaction, so that what was reserved
     * over it is known to be there as long as the connection is.
     *
     * @return null in autocommit; also if the connection does not follow shards, and has none to that database:
     *     none is taken from a pool then
     */
    public @Nullable PhysicalConnection pinned(int shard) throws SQLException {
        Target.Shard target = Target.shard(databases.cluster().requireShard(shard));
        ShardMap map = settings.following ? map() : databases.map();
        if (settings.following && isDeferred(target, map)) {
            await(target, map);
            map = databases.map();
        }
        if (settings.autoCommit) {
            return null;
        }
        String database = databaseAsKnown(target, map);
        if (!settings.following) {
            return connections.pinnedOn(database);
        }
        boolean apart = settings.defersBegin() && !settings.isReadOnly();
        return apart ? connections.pin(database, target) : connections.on(database, target, true);
    }

    /**
     * Returns the connection over which ids are being reserved. Another one would not be kept, so then the
     * reservation has to begin again.
     *
     * @throws SQLException if the connection is gone, or has joined the transaction
     */
    public PhysicalConnection reserving(String database, Target.Single target) throws SQLException {
        PhysicalConnection kept = connections.pinnedOn(database);
        if (kept == null || kept.isInTransaction()) {
            throw moved(shardOf(target), database, null);
        }
        return kept;
    }

    /**
     * Waits until the shard of a failed statement is somewhere. The statement has undone nothing but itself,
     * and has let go of its connection; afterwards it is sent again.
     *
     * @throws SQLException if it cannot be sent again: then the transaction counts as failed, as after any
     *     other failure
     */
    public void find(Route route, ShardSearch search, SQLException failure) throws SQLException {
        connections.giveUp(route.physical());
        if (!settings.following) {
            relocations.map().refreshSince(relocations.map().nanoTime());
            requireFollowing(shardOf(route.target()), route.physical().database(), failure);
        }
        try {
            relocations.find(shardOf(route.target()), route.physical().database(), search, failure);
        } catch (SQLException e) {
            if (!settings.autoCommit) {
                transaction.failedOn(route.physical().database());
            }
            throw e;
        }
    }
}
