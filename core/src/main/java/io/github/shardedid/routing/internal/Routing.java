package io.github.shardedid.routing.internal;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.shardedid.routing.RequiredIds;
import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.RoutingOptions;
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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** What all connections of a routing data source share. Safe for use by several threads. */
public final class Routing {
    /** In bytes: thousands of texts as Hibernate writes them. */
    private static final long ANALYSES = 32_000_000;

    private final Cluster cluster;
    private final SharedRouting shared;
    private final boolean deferredBegin;
    private final Scatters scatters;
    private final Replicas replicas;
    /** By the texts of statements. */
    private final Cache<String, Optional<RequiredIds>> requiredIds =
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
        return new RoutingConnection(shared, replicas, scatters, new ConnectionSettings(deferredBegin));
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
        requiredIds.invalidateAll();
    }

    /**
     * The ids that a statement requires.
     *
     * @param sql a text with parameters {@code ?}
     * @return empty if none are known
     */
    public Optional<RequiredIds> requiredIds(String sql) {
        Optional<RequiredIds> known = requiredIds.getIfPresent(sql);
        if (known == null) {
            known = IdConditions.of(sql, shared.analyses().colocated());
            requiredIds.put(sql, known);
        }
        return known;
    }
}
