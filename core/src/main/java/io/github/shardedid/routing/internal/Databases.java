package io.github.shardedid.routing.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import io.github.shardedid.topology.UnownedShardException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Shard → database → physical connection. Safe for use by several threads. */
final class Databases {
    private static final long BETWEEN_REFRESHES = TimeUnit.SECONDS.toNanos(1);

    private final Cluster cluster;
    private final Map<String, DataSource> sources;
    private final Map<String, DataSource> readPools;
    private final @Nullable GlobalDatabase global;
    private final Homes homes;
    private final Executions executions;
    private final AtomicLong lastRefresh = new AtomicLong(System.nanoTime() - BETWEEN_REFRESHES);

    Databases(Cluster cluster, Map<String, ? extends DataSource> sources, RoutingOptions options) {
        this.cluster = cluster;
        this.sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
        this.readPools = options.readPools();
        this.global = options.global();
        this.homes = new Homes(this, cluster.map(), options);
        this.executions = new Executions(options.listener());
    }

    Map<String, DataSource> sources() {
        return sources;
    }

    /** Where shards are that are being moved. */
    Homes homes() {
        return homes;
    }

    /** Who is told of executions. */
    Executions executions() {
        return executions;
    }

    Set<String> names() {
        return sources.keySet();
    }

    Cluster cluster() {
        return cluster;
    }

    /** The shard map that is valid now. */
    ShardMap map() {
        return cluster.map().get();
    }

    /** Whether no shard has moved since an instant of {@code nanoTime}, as far as is known. */
    boolean isUnmovedSince(long nanos) {
        return cluster.map().isUnchangedSince(nanos);
    }

    /** The place of the global entities; fails if there is none. */
    private GlobalDatabase global(String what) {
        if (global == null) {
            throw new NoShardException(
                    "No global database is configured for: " + what
                            + ". Name one with sharded-id.global.database, or RoutingOptions.withGlobal(GlobalDatabase.on(name)).");
        }
        return global;
    }

    /** The schema of a place. */
    String schemaOf(int place) {
        return place == Place.GLOBAL ? global("a schema").schema() : ShardSchema.nameOf(place);
    }

    /** The home of a shard; of one without a home the databases are asked again, at most once a second. */
    String databaseOf(int shard) throws DatabaseUnavailableException {
        if (shard == Place.GLOBAL) {
            return global("a statement").database();
        }
        ShardMap map = cluster.map().get();
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
                    "Nothing was sent to shard " + shard + ", whose home is not known: " + unowned.getMessage(),
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
        long now = System.nanoTime();
        boolean due = now - last >= BETWEEN_REFRESHES && lastRefresh.compareAndSet(last, now);
        return due ? cluster.map().refresh(seen) : cluster.map().get();
    }

    /** Fails if the cluster has no such shard; whether its home is known does not matter. */
    void requireShard(int shard) {
        try {
            cluster.map().get().databaseOf(shard);
        } catch (UnownedShardException known) {
            // it is a shard of this cluster
        }
    }

    /** Fails if there is no global database. */
    void requireGlobal() {
        global("a write");
    }

    /** Nobody should wait for a shard that has gone where this application cannot follow it. */
    void requireConfigured(int shard, String before, @Nullable String successor) throws DatabaseUnavailableException {
        if (successor != null && !sources.containsKey(successor)) {
            throw new DatabaseUnavailableException(
                    "Shard " + shard + " has moved from database " + before + " to database " + successor
                            + ", of which this application knows nothing: it is configured with " + sources.keySet()
                            + ". Add " + successor + " to the configuration (sharded-id.databases." + successor
                            + "), and restart the application. Other shards are not concerned.",
                    null);
        }
    }

    /** Nor for a shard that has no owner any more. */
    void requireOwned(int shard) throws DatabaseUnavailableException {
        String because = cluster.map().get().unownedBecause(shard);
        if (because != null) {
            throw new DatabaseUnavailableException("Nothing was sent to shard " + shard + ". " + because, null);
        }
    }

    /** A shard and its database, for messages. */
    String describe(int shard) {
        if (shard == Place.GLOBAL) {
            return Place.text(shard) + " (database " + global("a write").database() + ")";
        }
        try {
            return "shard " + shard + " (database " + cluster.map().get().databaseOf(shard) + ")";
        } catch (UnownedShardException e) {
            return "shard " + shard + " (its database is not known)";
        }
    }

    /**
     * Takes a connection from a database's pool.
     *
     * @param shard the shard for whose sake it is wanted, for the message; null for none in particular
     * @param forPlainQuery whether a plain query of a transaction needs it, and no longer than that is open
     * @param held what the routed connection holds already
     */
    Connection connect(String database, @Nullable Integer shard, boolean forPlainQuery, PhysicalConnection[] held)
            throws DatabaseUnavailableException {
        DataSource source = sources.get(database);
        if (source == null) {
            throw new DatabaseUnavailableException(
                    "Shard " + shard + " lives on database " + database
                            + ", but this application has a data source only" + " for " + sources.keySet()
                            + ". Configure one for " + database + ".",
                    null);
        }
        DataSource readPool = forPlainQuery && held.length > 0 ? readPools.get(database) : null;
        try {
            return (readPool == null ? source : readPool).getConnection();
        } catch (SQLException | RuntimeException e) {
            throw NoConnection.to(database, shard, e, held);
        }
    }
}
