package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import io.github.shardedid.topology.UnownedShardException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The database and the schema of each target. Safe for use by several threads. */
public final class Databases {
    private static final long BETWEEN_REFRESHES = TimeUnit.SECONDS.toNanos(1);

    private final Cluster cluster;
    private final Set<String> names;
    private final @Nullable GlobalDatabase global;
    private final AtomicLong lastRefresh;

    /** The names are those of the databases that the application is configured with. */
    public Databases(Cluster cluster, Set<String> names, @Nullable GlobalDatabase global) {
        this.cluster = cluster;
        this.names = names;
        this.global = global;
        this.lastRefresh = new AtomicLong(cluster.map().nanoTime() - BETWEEN_REFRESHES);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** The shard map that is valid now. */
    public ShardMap map() {
        return cluster.map().get();
    }

    /** Whether a shard has not moved since an instant of {@code nanoTime}, as far as is known. */
    public boolean isUnmovedSince(int shard, long nanos) {
        return cluster.map().isUnchangedSince(shard, nanos);
    }

    /** The database of the global entities; fails if there is none. */
    private GlobalDatabase global(String what) {
        if (global == null) {
            throw new NoShardException(
                    "No global database is configured for: " + what
                            + ". Name one with sharded-id.global.database, or RoutingOptions.withGlobal(GlobalDatabase.on(name)).");
        }
        return global;
    }

    /** The schema of a target. */
    public String schemaOf(Target.Single target) {
        return target instanceof Target.Shard shard
                ? ShardSchema.nameOf(shard.number())
                : global("a statement").schema();
    }

    /** The database of a target; if a shard's is unknown the databases are asked again, at most once a second. */
    public String databaseOf(Target.Single target) throws DatabaseUnavailableException {
        return databaseOf(target, cluster.map().get());
    }

    /** Returns the database of a target by a map. */
    public String databaseOf(Target.Single target, ShardMap map) throws DatabaseUnavailableException {
        return target instanceof Target.Shard shard
                ? databaseOf(shard.number(), map)
                : global("a statement").database();
    }

    /** The home of a shard; if it is unknown the databases are asked again, at most once a second. */
    public String databaseOf(int shard) throws DatabaseUnavailableException {
        return databaseOf(shard, cluster.map().get());
    }

    private String databaseOf(int shard, ShardMap map) throws DatabaseUnavailableException {
        try {
            return map.databaseOf(shard);
        } catch (UnownedShardException unowned) {
            return askAgain(map, shard, unowned);
        }
    }

    private String askAgain(ShardMap seen, int shard, UnownedShardException unowned)
            throws DatabaseUnavailableException {
        try {
            return refreshed(seen).databaseOf(shard);
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

    /** Never waits for another thread's refresh: a statement that cannot be sent should fail fast. */
    private ShardMap refreshed(ShardMap seen) {
        long last = lastRefresh.get();
        long now = cluster.map().nanoTime();
        boolean due = now - last >= BETWEEN_REFRESHES && lastRefresh.compareAndSet(last, now);
        return due ? cluster.map().refresh(seen) : cluster.map().get();
    }

    /** Fails if the cluster has no such shard; whether its database is known does not matter. */
    public void requireShard(int shard) {
        try {
            cluster.map().get().databaseOf(shard);
        } catch (UnownedShardException known) {
            // it is a shard of this cluster
        }
    }

    /** Fails if there is no global database. */
    public void requireGlobal() {
        global("a write");
    }

    /** Nobody should wait for a shard that has gone where this application cannot follow it. */
    public void requireConfigured(int shard, String before, @Nullable String successor)
            throws DatabaseUnavailableException {
        if (successor != null && !names.contains(successor)) {
            throw new DatabaseUnavailableException(
                    "Shard " + shard + " has moved from database " + before + " to database " + successor
                            + ", of which this application knows nothing: it is configured with " + names
                            + ". Add " + successor + " to the configuration (sharded-id.databases." + successor
                            + "), and restart the application. Other shards are not concerned.",
                    null);
        }
    }

    /** Nor for a shard that has no owner any more. */
    public void requireOwned(int shard) throws DatabaseUnavailableException {
        String because = cluster.map().get().unownedBecause(shard);
        if (because != null) {
            throw new DatabaseUnavailableException("Nothing was sent to shard " + shard + ". " + because, null);
        }
    }

    /** A target and its database, for messages. */
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
