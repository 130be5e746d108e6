package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.internal.connection.DatabasePools;
import io.github.shardedid.routing.internal.connection.Databases;
import io.github.shardedid.routing.internal.connection.Replicas;
import io.github.shardedid.routing.internal.session.Sessions;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.topology.Cluster;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;

/** What all connections of a routing data source share. Safe for use by several threads. */
public record SharedRouting(
        Databases databases,
        DatabasePools pools,
        Replicas replicas,
        Sessions sessions,
        SqlAnalyses analyses,
        RoutingListener listener,
        Relocations relocations) {

    /** Touches no database. The analyses keep so many bytes. */
    public static SharedRouting of(
            Cluster cluster, Map<String, ? extends DataSource> databases, RoutingOptions options, long analyses) {
        DatabasePools pools = new DatabasePools(new LinkedHashMap<>(databases), options.readPools(), cluster.map());
        Databases targets = new Databases(cluster, pools.names(), options.global());
        Sessions sessions = new Sessions(options.commonSchemas());
        return new SharedRouting(
                targets,
                pools,
                new Replicas(
                        options.replicas(), options.listener(), pools.sources(), sessions, cluster.map()::nanoTime),
                sessions,
                new SqlAnalyses(analyses),
                options.listener(),
                new Relocations(targets, options));
    }
}
