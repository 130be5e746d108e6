package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.WayOut;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import io.github.shardedid.topology.UnownedShardException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The database and the schema of each target. Safe for use by several threads.
 *
 * <p>A facade of the shard map for statements: what is not known becomes exceptions that say what to do, and
 * the databases are asked again before that. A method that is given a map goes by it, so that one statement is
 * not decided by two maps.
 */
public final class Databases {
    /**
     * The shortest time between two refreshes for shards without a known database. Otherwise each statement for
     * a shard of a database that is down would ask all the others.
     */
    private static final long BETWEEN_REFRESHES = TimeUnit.SECONDS.toNanos(1);

    private final Cluster cluster;
    /**
     * The databases that the application is configured with. A shard may move to another one, which is then out
     * of reach.
     */
    private final Set<String> names;

    private final @Nullable GlobalDatabase global;
    /** In nanoseconds. */
    private final long mapAge;
    /** The instant of the last refresh, by the clock of the map. */
    private final AtomicLong lastRefresh;

    /**
     * Creates the databases of a data source.
     *
     * @param names the databases that the application is configured with
     * @param global where the global entities are; null if there are none
     * @param mapAge the age of a map from which it is refreshed before something is sent by it
     */
    public Databases(Cluster cluster, Set<String> names, @Nullable GlobalDatabase global, Duration mapAge) {
        this.cluster = cluster;
        this.names = names;
        this.global = global;
        this.mapAge = mapAge.toNanos();
        this.lastRefresh = new AtomicLong(cluster.map().nanoTime() - BETWEEN_REFRESHES);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** The shard map that is valid now. */
    public ShardMap map() {
        return cluster.map().get();
    }

    /**
     * Returns the map by which something may be sent, refreshed before if it is older than allowed. It may be so old that a
     * database which it names as a shard's has lost the shard since, and is just receiving a new copy of it: a
     * read there would return a part of the rows.
     */
    public ShardMap youngMap() {
        CurrentShardMap map = cluster.map();
        if (!map.isRefreshedSince(map.nanoTime() - mapAge)) {
            map.refreshSince(map.nanoTime());
        }
        return map.get();
    }

    /**
     * Returns the database of the global entities.
     *
     * @param what what needs it, for the message
     * @throws NoShardException if there is none
     */
    private GlobalDatabase global(String what) {
        if (global == null) {
            throw new NoShardException("No global database is configured for: " + what + ". Name one with "
                    + WayOut.GLOBAL_DATABASE.of() + ".");
        }
        return global;
    }

    /** Returns the schema of a target. It is the same on each database, before and after a move. */
    public String schemaOf(Target.Single target) {
        return target instanceof Target.Shard shard
                ? ShardSchema.nameOf(shard.number())
                : global("a statement").schema();
    }

    /**
     * Returns the database of a target by a map. If it does not know that of a shard, the databases are asked
     * again, at most once a second.
     *
     * @throws DatabaseUnavailableException if it is still unknown; nothing was sent
     */
    public String databaseOf(Target.Single target, ShardMap map) throws DatabaseUnavailableException {
        if (!(target instanceof Target.Shard shard)) {
            return global("a statement").database();
        }
        try {
            return map.databaseOf(shard.number());
        } catch (UnownedShardException unowned) {
            return askAgain(map, shard.number(), unowned);
        }
    }

    /**
     * Returns the database of a shard. If it is unknown, the databases are asked again, at most once a second.
     *
     * @throws DatabaseUnavailableException if it is still unknown; nothing was sent
     */
    public String databaseOf(int shard) throws DatabaseUnavailableException {
        return databaseOf(Target.shard(shard), map());
    }

    /**
     * Returns the database of a shard by a newer map, if a refresh is due, else by the current one. It never waits for
     * another thread's refresh: a statement that cannot be sent should fail fast.
     *
     * @param seen the map that does not know it
     * @param unowned what that map has said, which becomes the cause
     */
    private String askAgain(ShardMap seen, int shard, UnownedShardException unowned)
            throws DatabaseUnavailableException {
        long last = lastRefresh.get();
        long now = cluster.map().nanoTime();
        boolean due = now - last >= BETWEEN_REFRESHES && lastRefresh.compareAndSet(last, now);
        try {
            return (due ? cluster.map().refresh(seen) : map()).databaseOf(shard);
        } catch (ShardedIdException still) {
            DatabaseUnavailableException unavailable = new DatabaseUnavailableException(
                    "Nothing was sent to shard " + shard + ", whose database is unknown: " + unowned.getMessage(),
                    unowned);
            if (!(still instanceof UnownedShardException)) {
                unavailable.addSuppressed(still);
            }
            throw unavailable;
        }
    }

    /**
     * Fails if a shard has moved to a database that is not configured in this application: to wait for it would
     * be in vain.
     *
     * @param before the database that the shard has left
     * @param successor the database that it is moving to; null if that is unknown
     * @throws DatabaseUnavailableException if so; nothing was sent
     */
    public void requireConfigured(int shard, String before, @Nullable String successor)
            throws DatabaseUnavailableException {
        if (successor != null && !names.contains(successor)) {
            throw new DatabaseUnavailableException(
                    "Shard " + shard + " has moved from database " + before + " to database " + successor
                            + ", of which this application knows nothing: it is configured with " + names
                            + ". Add " + successor + " to the configuration (" + WayOut.DATABASE.of(successor)
                            + "), and restart the application. Other shards are not concerned.",
                    null);
        }
    }

    /**
     * Fails if a shard is known to have no owner any more, so that no wait would end.
     *
     * @throws DatabaseUnavailableException if so; nothing was sent
     */
    public void requireOwned(int shard) throws DatabaseUnavailableException {
        String because = cluster.map().get().unownedBecause(shard);
        if (because != null) {
            throw new DatabaseUnavailableException("Nothing was sent to shard " + shard + ". " + because, null);
        }
    }

    /** Returns a target and its database, for messages. Asks no database. */
    public String describe(Target.Single target) {
        if (!(target instanceof Target.Shard shard)) {
            return target + " (database " + global("a write").database() + ")";
        }
        try {
            return shard + " (database " + cluster.map().get().databaseOf(shard.number()) + ")";
        } catch (UnownedShardException e) {
            return shard + " (its database is not known)";
        }
    }
}
