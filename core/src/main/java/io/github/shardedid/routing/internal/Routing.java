package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.replica.Replicas;
import io.github.shardedid.routing.internal.scatter.Scatters;
import io.github.shardedid.routing.internal.connection.Sessions;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.RoutedConnection;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** What all connections of a routing data source share. Safe for use by several threads. */
public final class Routing {
    /** In bytes: thousands of texts as Hibernate writes them. */
    private static final long ANALYSES = 32_000_000;

    private final Databases databases;
    private final SqlAnalyses analyses = new SqlAnalyses(ANALYSES);
    private final Sessions sessions;
    private final boolean deferredBegin;
    private final Scatters scatters;
    private final Replicas replicas;

    /**
     * Touches no database.
     *
     * @param cluster where shards are
     * @param databases the databases by name
     * @param options how statements are sent
     */
    public Routing(Cluster cluster, Map<String, ? extends DataSource> databases, RoutingOptions options) {
        this.databases = new Databases(cluster, databases, options);
        this.sessions = new Sessions(options.commonSchemas());
        this.replicas = new Replicas(options.replicas(), this.databases.sources(), sessions);
        this.deferredBegin = options.deferredBegin();
        this.scatters = new Scatters(this.databases, analyses, sessions, options.scatter());
    }

    /**
     * A connection that is bound to no database.
     *
     * @return a new one, in autocommit
     */
    public RoutedConnection connect() {
        ConnectionSettings settings = new ConnectionSettings(deferredBegin);
        return new RoutingConnection(databases, analyses, sessions, replicas, settings, scatters);
    }

    /**
     * Asks the replicas that can be reached who they are.
     *
     * @throws io.github.shardedid.routing.ReplicaMismatchException if one is no replica of its database
     */
    public void checkReplicas() {
        replicas.check();
    }

    /**
     * Adds to the columns that hold ids of the row's own shard.
     *
     * @param columns by table, both as PostgreSQL stores their names
     */
    public void declareColocated(Map<String, Set<String>> columns) {
        analyses.declareColocated(columns);
    }
}
