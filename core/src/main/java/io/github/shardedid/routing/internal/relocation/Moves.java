package io.github.shardedid.routing.internal.relocation;

import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.connection.OutsideReads;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.RoutingListener.Outcome;
import io.github.shardedid.routing.ShardMovedException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What becomes of the statements of one routed connection whose shards are on their way to another database. */
public final class Moves {
    private final Databases databases;
    private final Homes homes;
    private final PhysicalConnections physical;
    private final ConnectionSettings settings;
    private final OutsideReads outside;
    private boolean overdue;

    public Moves(Databases databases, PhysicalConnections physical, ConnectionSettings settings, OutsideReads outside) {
        this.databases = databases;
        this.homes = databases.homes();
        this.physical = physical;
        this.settings = settings;
        this.outside = outside;
    }

    /**
     * The database of a place: the one on which the transaction has used it, as it cannot have left that; else its home, which
     * is waited for if it is about to change.
     *
     * @param timeout of the statement for which it is asked, in nanoseconds
     */
    public String home(int place, long timeout) throws SQLException {
        homes.requireYoungMap();
        String used = used(place);
        overdue = used == null && homes.isFenced(place) && homes.await(place, timeout) == Outcome.TIMED_OUT;
        return used != null ? used : databases.databaseOf(place);
    }

    /** The same without waiting, for what is not sent to the shard itself. */
    public String homeAsKnown(int place) throws SQLException {
        String used = used(place);
        return used != null ? used : databases.databaseOf(place);
    }

    private @Nullable String used(int place) {
        return settings.autoCommit ? null : physical.databaseThatUsed(place);
    }

    /** Whether a new statement for a place would be waited for. */
    public boolean isHeldBack(int place) {
        return homes.isFenced(place) && used(place) == null;
    }

    /** Whether a statement should not be executed where it is, as its shard has left, or is about to, as far as is known. */
    public boolean isElsewhere(Router.Route route) {
        PhysicalConnection target = route.physical();
        homes.requireYoungMap();
        return !homes.isServed(route.place(), target.database())
                && !route.overdue()
                && homes.isKnown(route.place())
                && !target.isReleased()
                && !(target.isInTransaction() && target.use().has(route.place()));
    }

    /** Whether a failure of a statement takes nothing with it that the transaction has done before. */
    public boolean isFresh(Router.Route route) {
        PhysicalConnection target = route.physical();
        return !target.isInTransaction() || !target.use().isTouched();
    }

    /** Whether a statement may have failed since its shard is no longer where it was sent. */
    public boolean mayBeLeft(Router.Route route, SQLException failure) {
        return route.physical().replica() == null && Homes.mayBeLeft(route.place(), failure);
    }

    /** What to throw for such a failure if the statement cannot be repeated. */
    public SQLException unrepeatable(Router.Route route, SQLException failure) {
        return homes.unrepeatable(route.place(), route.physical().database(), failure);
    }

    /** Whether the home that was asked for last was waited for in vain. */
    public boolean isOverdue() {
        return overdue;
    }

    /** A statement looks for its shard. */
    public Homes.Search search(Router.Route route, long timeout) {
        return homes.search(route.overdue(), timeout);
    }

    /** Before a statement that was not executed yet, and has let go of its connection, goes elsewhere. */
    public void leave(Router.Route route) throws SQLException {
        if (isFresh(route)) {
            physical.giveUp(route.physical());
        }
        requireFollowing(route, null);
    }

    private void requireFollowing(Router.Route route, @Nullable SQLException failure) throws SQLException {
        if (!settings.following) {
            throw new ShardMovedException(
                    "Shard " + route.place() + " is no longer on database "
                            + route.physical().database() + ": prepare the statement again.",
                    route.place(),
                    route.physical().database(),
                    null,
                    true,
                    failure);
        }
    }

    /**
     * Before a statement that has failed, has taken nothing with it and has let go of its connection is sent again: waits until
     * its shard is somewhere.
     *
     * @throws SQLException if it cannot be sent again: then the transaction counts as failed, as after any other failure
     */
    public void find(Router.Route route, Homes.Search search, SQLException failure) throws SQLException {
        physical.giveUp(route.physical());
        try {
            homes.find(route.place(), route.physical().database(), search, failure);
        } catch (SQLException e) {
            if (!settings.autoCommit) {
                outside.failedOn(route.physical().database());
            }
            throw e;
        }
        requireFollowing(route, failure);
    }
}
