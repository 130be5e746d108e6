package io.github.shardedid.routing.internal;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.shardedid.ShardedIdException;
import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.Outages;
import io.github.shardedid.routing.internal.connection.Pools;
import io.github.shardedid.routing.internal.relocation.Relocations;
import io.github.shardedid.routing.internal.replica.Replicas;
import io.github.shardedid.routing.internal.scatter.Scatters;
import io.github.shardedid.routing.internal.session.Sessions;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.query.IdConditions;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.target.Executions;
import io.github.shardedid.topology.Cluster;
import java.sql.ShardingKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What all connections of a routing data source share. Safe for use by several threads. */
public final class Routing {
    /** In bytes: thousands of texts as Hibernate writes them. */
    private static final long ANALYSES = 32_000_000;

    private final Cluster cluster;
    private final SharedRouting shared;
    private final boolean deferredBegin;
    private final Scatters scatters;
    private final Replicas replicas;
    private volatile @Nullable Callable<? extends @Nullable ShardingKey> requestKeys;
    /** By the texts of statements. */
    private final Cache<String, ComparedIds> comparedIds =
            SqlAnalyses.keptTexts(ANALYSES / 8, (sql, ids) -> 100 + 2 * sql.length());

    /**
     * Touches no database.
     *
     * @param cluster where shards are
     * @param databases the databases by name
     * @param options how statements are sent
     */
    public Routing(Cluster cluster, Map<String, ? extends DataSource> databases, RoutingOptions options) {
        this.cluster = cluster;
        Pools pools = new Pools(new LinkedHashMap<>(databases), options.readPools(), new Outages(cluster.map()));
        Databases targets = new Databases(cluster, pools.names(), options.global());
        Executions executions = new Executions(options.listener());
        Relocations relocations = new Relocations(targets, executions, options);
        Sessions sessions = new Sessions(options.commonSchemas());
        this.shared = new SharedRouting(targets, pools, sessions, new SqlAnalyses(ANALYSES), executions, relocations);
        this.replicas = new Replicas(options.replicas(), options.listener(), pools.sources(), sessions);
        this.deferredBegin = options.deferredBegin();
        this.scatters = new Scatters(shared, options.scatter());
    }

    /**
     * A connection that is bound to no database.
     *
     * @return a new one, in autocommit
     */
    public RoutedConnection connect() {
        return new RoutingConnection(
                shared, replicas, scatters, new ConnectionSettings(deferredBegin, this::shardOfRequest));
    }

    /**
     * Sets where the keys of requests come from.
     *
     * @param keys returns the key of the current request, or null
     */
    public void setRequestKeys(Callable<? extends @Nullable ShardingKey> keys) {
        requestKeys = keys;
    }

    /** Whether requests may have keys. */
    public boolean hasRequestKeys() {
        return requestKeys != null;
    }

    /**
     * The shard of the current request.
     *
     * @return null if it has no key
     * @throws NoShardException if its key cannot be found, or is one of another data source
     */
    public Target.@Nullable Single shardOfRequest() {
        Callable<? extends @Nullable ShardingKey> keys = requestKeys;
        if (keys == null) {
            return null;
        }
        try {
            ShardingKey key = keys.call();
            if (key == null) {
                return null;
            }
            int shard = RoutedShardingKey.of(key).shard();
            shared.databases().requireShard(shard);
            return Target.shard(shard);
        } catch (ShardedIdException e) {
            throw e;
        } catch (Exception e) {
            NoShardException unknown = new NoShardException("The sharding key of the current request is not known: "
                    + e.getMessage() + " Nothing was sent. Return null for a request without a key.");
            unknown.initCause(e);
            throw unknown;
        }
    }

    /**
     * Asks the replicas that can be reached who they are.
     *
     * @throws io.github.shardedid.routing.replica.ReplicaMismatchException if one is no replica of its database
     */
    public void checkReplicas() {
        replicas.check(cluster.map().get().unreachableDatabases());
    }

    /**
     * Adds to the columns that hold ids of the row's own shard.
     *
     * @param columns by table, both as PostgreSQL stores their names
     */
    public void declareColocated(Map<String, Set<String>> columns) {
        shared.analyses().declareColocated(columns);
        comparedIds.invalidateAll();
    }

    /**
     * The ids with which a statement compares keys.
     *
     * @param sql a text with parameters {@code ?}
     */
    public ComparedIds comparedIds(String sql) {
        ComparedIds known = comparedIds.getIfPresent(sql);
        if (known == null) {
            known = IdConditions.of(sql, shared.analyses().colocated());
            comparedIds.put(sql, known);
        }
        return known;
    }
}
