package io.github.shardedid.routing;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ShardedIdException;
import io.github.shardedid.id.EpochCheck;
import io.github.shardedid.routing.internal.ReplicationLag;
import io.github.shardedid.routing.internal.RoutedConnectionBuilder;
import io.github.shardedid.routing.internal.RoutedShardingKey;
import io.github.shardedid.routing.internal.RoutingConnection;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.routing.internal.connection.Replicas;
import io.github.shardedid.routing.internal.scatter.Scatters;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.query.IdConditions;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKey;
import java.sql.ShardingKeyBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One data source over all databases of a cluster. Its connections are bound to no database: each statement goes to the
 * current shard of {@link ShardContext}, over a physical connection that is taken from that database's data source when
 * the first statement needs it and given back at the end of the transaction, in autocommit when the statement is closed.
 * With {@linkplain RoutingOptions#deferredBegin deferred begin}, the default, a transaction's plain queries run in
 * autocommit, too, on databases that it has neither locked nor written.
 *
 * <p>In a statement, {@value #SCHEMA_PLACEHOLDER} before the name of a table stands for the schema of the shard. Statements
 * without it get the shard's schema as search path, in the same round trip where possible; otherwise, as for batches and
 * generated keys, in one more. {@value #GLOBAL_PLACEHOLDER} stands for the schema of the global entities, and such a statement goes to the global database
 * whatever the current shard; a statement with both is refused.
 *
 * <p>A transaction may read any shard and writes to one; see {@link SecondWriteShardException}. A prepared statement lives
 * no longer than the transaction in which it was prepared. {@code unwrap} to a class of the driver gives the current
 * shard's physical connection, on which none of this holds.
 *
 * <p>In the scope of a {@link ShardSet} a query goes to all its shards, in one statement for many shards of a database, and
 * their rows come back as one result. These statements read over connections of their own, outside the transaction.
 *
 * <p>Safe for use by several threads; the connections are for one thread at a time.
 */
public final class RoutingDataSource implements DataSource {
    /** Stands for the schema of the current shard: {@code SELECT * FROM sharded_id_shard.photo}. */
    public static final String SCHEMA_PLACEHOLDER = SchemaPlaceholder.OF_SHARD;

    /** Stands for the schema of the global entities; a statement with it goes there in whatever scope. */
    public static final String GLOBAL_PLACEHOLDER = SchemaPlaceholder.OF_GLOBAL;

    /**
     * Stands for the schema of the replicated tables, which each database has, under the name of the schema of the global entities: a
     * statement of a shard may read them. One that writes them goes to the global database.
     */
    public static final String REPLICATED_PLACEHOLDER = SchemaPlaceholder.OF_REPLICATED;

    /** Before the number of a shard, the schema by which a session of Hibernate names the shard of its tenant to a connection. */
    public static final String TENANT_PLACEHOLDER = SchemaPlaceholder.OF_TENANT;

    /** In bytes: thousands of texts as Hibernate writes them. */
    private static final long ANALYSES = 32_000_000;

    private final Cluster cluster;
    private final @Nullable GlobalDatabase global;
    private final SharedRouting shared;
    private final Scatters scatters;
    private final boolean deferredBegin;
    private final Supplier<Target.@Nullable Single> requestKey = this::shardOfRequest;
    private volatile @Nullable Callable<? extends @Nullable ShardingKey> requestKeys;
    /** By the texts of statements. */
    private final Cache<String, ComparedIds> comparedIds =
            SqlAnalyses.keptTexts(ANALYSES / 8, (sql, ids) -> 100 + 2 * sql.length());

    /**
     * Touches no database. A warning is logged if the time of the cluster's ids is running out.
     *
     * @param cluster where shards are
     * @param databases the databases by the names that the shard map uses, usually each with a pool; their connections
     *     should be in autocommit. They are not closed here
     * @throws IllegalArgumentException if there is no database, or none of the global database's name
     * @throws ClusterConfigurationException if the time of the layout is over, or its epoch lies in the future
     */
    public RoutingDataSource(Cluster cluster, Map<String, ? extends DataSource> databases) {
        this(cluster, databases, RoutingOptions.DEFAULT);
    }

    /**
     * Touches no database. A warning is logged if the time of the cluster's ids is running out.
     *
     * @param cluster where shards are
     * @param databases the databases by the names that the shard map uses, usually each with a pool; their connections
     *     should be in autocommit. They are not closed here
     * @param options how statements are sent
     * @throws IllegalArgumentException if there is no database, or none of the global database's name
     * @throws ClusterConfigurationException if the time of the layout is over, or its epoch lies in the future
     */
    public RoutingDataSource(Cluster cluster, Map<String, ? extends DataSource> databases, RoutingOptions options) {
        this(cluster, databases, options, InstantSource.system());
    }

    /**
     * The same by another clock, for tests, and for tools that only read what is left of a cluster whose time is over.
     *
     * @param cluster where shards are
     * @param databases the databases by the names that the shard map uses
     * @param options how statements are sent
     * @param clock is asked once, now, whether the layout can make ids
     * @throws IllegalArgumentException if there is no database, or none of the global database's name
     * @throws ClusterConfigurationException if the time of the layout is over by that clock, or its epoch lies in the future
     */
    public RoutingDataSource(
            Cluster cluster, Map<String, ? extends DataSource> databases, RoutingOptions options, InstantSource clock) {
        if (databases.isEmpty()) {
            throw new IllegalArgumentException("A routing data source needs at least one database.");
        }
        Instant now = clock.instant();
        EpochCheck.requireTime(cluster.layout(), now);
        EpochCheck.warning(cluster.layout(), now).ifPresent(LoggerFactory.getLogger(RoutingDataSource.class)::warn);
        GlobalDatabase named = options.global();
        if (named != null && !databases.containsKey(named.database())) {
            throw new IllegalArgumentException("The global entities are to live on database " + named.database()
                    + ", but there are data sources only for " + databases.keySet() + ".");
        }
        this.cluster = cluster;
        this.global = named;
        this.shared = SharedRouting.of(cluster, databases, options, ANALYSES);
        this.scatters = new Scatters(shared, options.scatter());
        this.deferredBegin = options.deferredBegin();
    }

    /**
     * The cluster whose shards the statements go to.
     *
     * @return what was given at construction
     */
    public Cluster cluster() {
        return cluster;
    }

    /**
     * Asks all replicas that can be reached whether they are replicas of their databases. They are asked again whenever a
     * connection to one is opened; one that is none is then passed over, and a warning is logged.
     *
     * @throws ClusterConfigurationException if one is none: another cluster's, another database's, or no hot standby
     */
    public void checkReplicas() {
        Replicas replicas = shared.replicas();
        if (replicas != null) {
            replicas.check(cluster.map().get().unreachableDatabases());
        }
    }

    /**
     * Says which columns of sharded tables hold ids of the row's own shard: its own id, and those of rows that it lives with. A
     * query over several shards may join and correlate tables by them; others may have partners in other shards, and are
     * refused. Hibernate's mappings are declared when a session factory is made. Adds to what was declared before.
     *
     * @param columns by table, both as PostgreSQL stores their names: in lower case unless they were quoted
     */
    public void declareColocated(Map<String, Set<String>> columns) {
        shared.analyses().declareColocated(columns);
        comparedIds.invalidateAll();
    }

    /**
     * The ids with which a statement compares columns that {@link #declareColocated} names: {@code where p.id = ?}, {@code in (?, …)} or
     * {@code = any(?)}, or a number in the place of a parameter. They determine its shards. No statement is routed by them here, because
     * JDBC prepares statements before their parameters are known; the integration with Hibernate does so.
     *
     * @param sql a statement
     * @return what it requires of all of its rows, if it is a SELECT, UPDATE or DELETE whose tables have the schema
     *     {@link #SCHEMA_PLACEHOLDER}
     */
    public ComparedIds comparedIds(String sql) {
        ComparedIds known = comparedIds.getIfPresent(sql);
        if (known == null) {
            known = IdConditions.of(sql, shared.analyses().colocated());
            comparedIds.put(sql, known);
        }
        return known;
    }

    /**
     * Where the entities live that are not sharded.
     *
     * @return what was given at construction; null if there are none
     */
    public @Nullable GlobalDatabase global() {
        return global;
    }

    /**
     * Waits until all databases of this data source have the rows of replicated tables that were committed in the global database before the call. Returns at
     * once if no table is replicated.
     *
     * @param timeout how long to wait at most; zero asks once
     * @throws java.sql.SQLTimeoutException if it is exceeded, with the databases that are behind; the rows are committed nevertheless
     * @throws SQLException if the global database cannot be asked
     */
    public void awaitReplicated(Duration timeout) throws SQLException {
        if (global != null) {
            new ReplicationLag(this, shared.pools().names()).await(timeout);
        }
    }

    /**
     * How far the copies of replicated tables are behind. Asks the global database.
     *
     * @return by the name of the database, the bytes of log that it has not confirmed; -1 if no log is kept for it, if it does
     *     not read the log, or if the publication lacks tables, so that its copies stay as they are. Empty if no table is replicated
     * @throws SQLException if the global database cannot be asked
     */
    public Map<String, Long> replicationLag() throws SQLException {
        return global == null
                ? Map.of()
                : new ReplicationLag(this, shared.pools().names()).bytes();
    }

    /**
     * A connection that is bound to no database; taking it touches none.
     *
     * @return a new connection, in autocommit
     */
    @Override
    public Connection getConnection() {
        return new RoutingConnection(shared, scatters, deferredBegin, requestKey);
    }

    /**
     * Builds JDBC sharding keys. A key has one subkey: a shard key, that is a whole number of type {@code BIGINT},
     * {@code INTEGER} or the like, a {@code String} of type {@code VARCHAR} or a {@code UUID} of type {@code OTHER}, which
     * choose a shard as {@link io.github.shardedid.topology.ShardKeys} says; or a number of a {@link ShardingKeyType}.
     *
     * @return a new builder, for one thread at a time
     */
    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() {
        return RoutedShardingKey.builder(cluster);
    }

    /**
     * Sets where the keys of requests come from, as a {@code ShardingKeyProvider} of Spring. The key of the
     * current request names the shard of a statement when no scope of a {@link ShardContext} is open, its connection has no key, and its
     * session no tenant. It is asked once when such a statement is prepared, and once by each execution.
     *
     * @param keys returns the key of the current request, built by {@link #createShardingKeyBuilder}; null if it has none
     */
    public void setRequestKeys(Callable<? extends @Nullable ShardingKey> keys) {
        requestKeys = keys;
    }

    /**
     * Whether requests may have keys.
     *
     * @return true after {@link #setRequestKeys}
     */
    public boolean hasRequestKeys() {
        return requestKeys != null;
    }

    /**
     * The shard of the key of the current request.
     *
     * @return null if it has none
     * @throws NoShardException if its key cannot be found, or is one of another data source
     */
    public Target.@Nullable Single shardOfRequest() {
        Callable<? extends @Nullable ShardingKey> keys = requestKeys;
        if (keys == null) {
            return null;
        }
        try {
            ShardingKey key = keys.call();
            return key == null ? null : RoutedShardingKey.targetOf(key, cluster);
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
     * Returns where a connection's transaction has written, or declared to write.
     *
     * @param connection of a routing data source, or a proxy of one
     * @return null if it has not written, or in autocommit
     * @throws SQLException if the connection is none of a routing data source
     */
    public static Target.@Nullable Single writtenBy(Connection connection) throws SQLException {
        return connection.unwrap(RoutingControl.class).declaredWrite();
    }

    /**
     * Builds connections with a sharding key: their statements go to its shard wherever no scope of a {@link ShardContext} is
     * open. A user, a password and a super sharding key are not supported.
     *
     * @return a new builder, for one thread at a time
     */
    @Override
    public ConnectionBuilder createConnectionBuilder() {
        return new RoutedConnectionBuilder(this::getConnection);
    }

    /**
     * Not supported, as each database has its own users.
     *
     * @throws SQLFeatureNotSupportedException always
     */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "Each database has its own user: configure it with the database's own data source.");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (!isWrapperFor(type)) {
            throw new SQLException("A routing data source wraps no " + type.getName() + ".");
        }
        return type.cast(this);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) throws SQLException {
        throw new SQLFeatureNotSupportedException("Set the log writer on the databases' own data sources.");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("Set the timeout on the databases' own data sources.");
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("This data source logs with SLF4J.");
    }
}
