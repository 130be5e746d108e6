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
import org.jspecify.annotations.Nullable;

/**
 * The parts that all connections of a routing data source share. Safe for use by several threads.
 *
 * @param databases where each target is
 * @param pools the connections to the databases
 * @param replicas the connections to their replicas; null if there are none
 * @param sessions what is known of each session of a server
 * @param analyses what is known of each text
 * @param listener is notified of statements and moves
 * @param relocations waits for shards that move
 */
public record SharedRouting(
        Databases databases,
        DatabasePools pools,
        @Nullable Replicas replicas,
        Sessions sessions,
        SqlAnalyses analyses,
        RoutingListener listener,
        Relocations relocations) {

    /**
     * Creates the parts, without touching a database.
     *
     * @param analyses how many bytes of analyses are kept
     */
    public static SharedRouting of(
            Cluster cluster, Map<String, ? extends DataSource> databases, RoutingOptions options, long analyses) {
        DatabasePools pools = new DatabasePools(new LinkedHashMap<>(databases), options.readPools(), cluster.map());
        Databases targets = new Databases(cluster, pools.names(), options.global(), options.mapAge());
        Sessions sessions = new Sessions(options.commonSchemas());
        return new SharedRouting(
                targets,
                pools,
                Replicas.of(options.replicas(), options.listener(), pools.sources(), sessions, cluster.map()::nanoTime),
                sessions,
                new SqlAnalyses(analyses, options.global()),
                options.listener(),
                new Relocations(targets, options));
    }
}
