package io.github.shardedid.routing;

import io.github.shardedid.topology.CommonSchemas;
import io.github.shardedid.topology.GlobalDatabase;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link RoutingDataSource} sends statements. Immutable and safe for use by several threads.
 *
 * @param deferredBegin whether a transaction begins on a database only when it locks or writes something there; plain
 *     queries before that run in autocommit, and hold a connection no longer than their statement is open
 * @param readPools for some or all databases, by name, a second data source for plain queries of transactions that hold
 *     another connection meanwhile: so that two of them cannot wait for each other's connection for ever. Its connections
 *     should be like the first one's, in autocommit. Used with deferred begin only. They are not closed here
 * @param scatter how queries over several shards are sent
 * @param replicas hot standbys by the names of their databases, each usually with a pool: read-only transactions read from them, one
 *     after the other. One that gives no connection is passed over for 10 seconds, and the next one or the database itself is read. They are
 *     not closed here
 * @param global where the entities live that are not sharded; null if there are none
 * @param fenceWait how long a statement waits at most for a shard that is on its way to another database; zero for not at all
 * @param mapAge by a shard map that was asked for longer ago than that nothing is sent: the databases are asked first, as after the
 *     process was suspended. A {@code ShardMapKeeper} asks more often. More than zero
 * @param listener receives statements, and their waits for shards that move
 * @param commonSchemas part of the search path of each statement, beside its shard's schema
 */
public record RoutingOptions(
        boolean deferredBegin,
        Map<String, DataSource> readPools,
        ScatterOptions scatter,
        Map<String, List<DataSource>> replicas,
        @Nullable GlobalDatabase global,
        Duration fenceWait,
        Duration mapAge,
        RoutingListener listener,
        CommonSchemas commonSchemas) {
    /**
     * Deferred begin, no read pools, the defaults of queries over several shards, no replicas, no global database, a wait of 10
     * seconds, a map of 2 minutes at most, no listener, and the common schemas that extensions are in.
     */
    public static final RoutingOptions DEFAULT = new RoutingOptions(
            true,
            Map.of(),
            ScatterOptions.DEFAULT,
            Map.of(),
            null,
            Duration.ofSeconds(10),
            Duration.ofMinutes(2),
            RoutingListener.NONE,
            CommonSchemas.AUTOMATIC);

    /**
     * Keeps its own copies of the maps.
     *
     * @throws IllegalArgumentException if the wait is negative, or the age not more than zero
     */
    public RoutingOptions {
        readPools = Collections.unmodifiableMap(new LinkedHashMap<>(readPools));
        replicas = copy(replicas);
        if (fenceWait.isNegative()) {
            throw new IllegalArgumentException("Waiting for a shard cannot take " + fenceWait + ".");
        }
        if (mapAge.isZero() || mapAge.isNegative()) {
            throw new IllegalArgumentException("A shard map cannot be good for " + mapAge + ".");
        }
    }

    private static Map<String, List<DataSource>> copy(Map<String, ? extends List<? extends DataSource>> replicas) {
        Map<String, List<DataSource>> copy = new LinkedHashMap<>();
        replicas.forEach((database, sources) -> copy.put(database, List.copyOf(sources)));
        return Collections.unmodifiableMap(copy);
    }

    /**
     * The same options with deferred begin on or off.
     *
     * @param other false for transactions that begin with their first statement on each database, whatever that is
     * @return options that differ in this only
     */
    public RoutingOptions withDeferredBegin(boolean other) {
        return new RoutingOptions(
                other, readPools, scatter, replicas, global, fenceWait, mapAge, listener, commonSchemas);
    }

    /**
     * The same options with a global database.
     *
     * @param other where the entities live that are not sharded; null if there are none
     * @return options that differ in this only
     */
    public RoutingOptions withGlobal(@Nullable GlobalDatabase other) {
        return new RoutingOptions(
                deferredBegin, readPools, scatter, replicas, other, fenceWait, mapAge, listener, commonSchemas);
    }

    /**
     * The same options with another wait.
     *
     * @param other how long a statement waits at most for a shard that is on its way to another database; zero for not at all
     * @return options that differ in this only
     * @throws IllegalArgumentException if the wait is negative
     */
    public RoutingOptions withFenceWait(Duration other) {
        return new RoutingOptions(
                deferredBegin, readPools, scatter, replicas, global, other, mapAge, listener, commonSchemas);
    }

    /**
     * The same options with a listener.
     *
     * @param other receives statements, and their waits for shards that move
     * @return options that differ in this only
     */
    public RoutingOptions withListener(RoutingListener other) {
        return new RoutingOptions(
                deferredBegin, readPools, scatter, replicas, global, fenceWait, mapAge, other, commonSchemas);
    }
}
