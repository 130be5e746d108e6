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
     * Waits for a target whose database is about to change. A connection that only stays with the
     * transaction is given up before, so that none is held during the wait.
     *
     * @return whether that has taken too long
     */
    boolean await(Target.Single target) throws SQLException {
        int shard = shardOf(target);
        String database = databases.databaseOf(shard);
        if (!relocations.isStuck(shard)) {
            requireFollowing(shard, database, null);
            PhysicalConnection kept = connections.pinnedOn(database);
            if (kept != null && !kept.isInTransaction()) {
                connections.giveUp(kept);
            }
        }
        try {
            return relocations.await(shard, database, relocations.search(false)) == Outcome.TIMED_OUT;
        } catch (ShardFencedException e) {
            if (!settings.autoCommit) {
                transaction.failedOn(e.database());
            }
            throw e;
        }
    }

    /**
     * Returns whether a statement should not be executed where it was prepared, as its shard has left, or is
     * about to, as far as is known.
     */
    public boolean isElsewhere(Route route) {
        PhysicalConnection current = route.physical();
        return !relocations.isServed(route.target(), current.database())
                && !route.waitExceeded()
                && relocations.isKnown(route.target())
                && !current.isReleased()
                && !(current.isInTransaction() && current.hasUsed(route.target()));
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
        if (route.physical().undoesNothingElse()) {
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
                true,
                failure);
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
