package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates ids in this JVM, without a round trip for each.
 *
 * <ol>
 *   <li>For each shard in use, a node is leased in the background from the shard's own schema: a share of the values of the
 *       sequence field, for a window of time by the database's clock. The window starts no earlier than that of the node's
 *       previous holder ended.
 *   <li>An id has one of the node's sequence values and a timestamp inside the window. So the ids of two holders differ in their
 *       timestamps, whatever the clocks, pauses and networks.
 *   <li>One atomic number per shard and table holds the last id and only grows. The next id has the current time, or follows the
 *       last id if the clock has not passed it. An id from the database raises the number.
 *   <li>Without a lease, and when a burst has run too far ahead of the clock, the database generates ids above the last one, as
 *       with {@link DatabaseIdSource}, over the caller's connection.
 *   <li>A lease is released, after all counters of the shard were sealed, if the shard was not used for about half of the lease's
 *       duration, and on {@link #close()}.
 * </ol>
 *
 * <p>Safe for use by several threads, also virtual ones. The ids of one shard and sequence only grow: an id is larger than every id
 * that was returned before it was requested. Callers never wait for a lease. After {@link #close()} the database generates the ids.
 */
public final class JvmIdSource implements IdSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JvmIdSource.class);
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Cluster cluster;
    private final DatabaseIdSource database;
    private final LeaseKeeper keeper;
    private final LeaseListener listener;
    private final ShardSlots<ShardLease> shards;
    private final ConcurrentHashMap<String, Table> tables = new ConcurrentHashMap<>();
    /** When each reason for a fallback may be logged again. */
    private final ConcurrentHashMap<FallbackReason, Long> due = new ConcurrentHashMap<>();

    /**
     * Creates a source without any lease; accesses no database.
     *
     * @param dataSource for the leases, which use at most one connection per database at a time; never null
     * @param options how nodes are leased; never null
     * @throws IllegalArgumentException if the layout has no JVM nodes
     */
    public JvmIdSource(RoutingDataSource dataSource, JvmIdOptions options) {
        this.cluster = dataSource.cluster();
        IdLayout layout = cluster.layout();
        if (layout.jvmNodes() == 0) {
            throw new IllegalArgumentException("The layout " + layout + " has no JVM nodes. Use the strategy"
                    + " DATABASE or COLUMN_DEFAULT: jvm-nodes is chosen when the cluster is made.");
        }
        this.keeper = new LeaseKeeper(dataSource, options);
        this.database = new DatabaseIdSource(layout);
        this.listener = options.listener();
        this.shards = new ShardSlots<>(cluster.layout().maxShards());
    }

    @Override
    public long next(int shard, String sequence, Connection connection) throws SQLException {
        return table(sequence).next(shard, connection);
    }

    @Override
    public IdSequence sequence(String name) {
        return table(name);
    }

    private Table table(String sequence) {
        Table table = tables.get(sequence);
        return table != null ? table : tables.computeIfAbsent(sequence, Table::new);
    }

    private long fallBack(IdCounter counter, int shard, String sequence, Connection connection) throws SQLException {
        ShardLease lease = leaseOf(shard);
        long now = System.nanoTime();
        FallbackReason reason = reason(lease, now);
        keeper.request(lease);
        listener.fallback(shard, reason);
        log(shard, reason, now);
        long id = database.nextAbove(counter.last(), shard, sequence, connection);
        counter.raise(id);
        return id;
    }

    /** Logs that the database generates ids instead of the JVM: at most once a minute for each reason. */
    private void log(int shard, FallbackReason reason, long now) {
        if (reason == FallbackReason.NO_LEASE_YET || reason == FallbackReason.CLOSED) {
            return; // expected
        }
        Long known = due.putIfAbsent(reason, now + PAUSE);
        if (known == null || (now - known >= 0 && due.replace(reason, known, now + PAUSE))) {
            LOG.warn(
                    "The database generates ids instead of this JVM: {} in shard {}. They are valid, but need a round trip."
                            + " See {}",
                    reason,
                    shard,
                    FallbackReason.class.getName());
        }
    }

    private FallbackReason reason(ShardLease shard, long now) {
        NodeLease held = shard.lease();
        if (keeper.isClosed()) {
            return FallbackReason.CLOSED;
        }
        return held != null && !held.hasEnded(now) ? FallbackReason.AHEAD_OF_CLOCK : shard.reason();
    }

    private ShardLease leaseOf(int shard) {
        ShardLease lease = shards.get(shard);
        return lease != null ? lease : shards.setIfAbsent(shard, new ShardLease(shard, System.nanoTime()));
    }

    /**
     * The cluster of the ids.
     *
     * @return the cluster of the data source; never null
     */
    public Cluster cluster() {
        return cluster;
    }

    /**
     * Releases the leases, waiting 10 seconds at most. From now on the database generates the ids. Calling it again has no
     * effect.
     */
    @Override
    public void close() {
        if (!keeper.isClosed()) {
            keeper.close(shards.all());
        }
    }

    /** The counters of one table, created when a shard is first used. */
    private final class Table implements IdSequence {
        private final String sequence;
        private final ShardSlots<IdCounter> counters =
                new ShardSlots<>(cluster.layout().maxShards());

        Table(String sequence) {
            this.sequence = sequence;
        }

        @Override
        public long next(int shard, Connection connection) throws SQLException {
            IdCounter counter = counters.get(shard);
            if (counter == null) {
                counter = counters.setIfAbsent(
                        shard, leaseOf(cluster.requireShard(shard)).newCounter());
            }
            long id = counter.advance(System.nanoTime());
            return id != NodeLease.NONE ? id : fallBack(counter, shard, sequence, connection);
        }
    }
}
