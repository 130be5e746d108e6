package io.github.shardedid.generator;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.UnknownShardException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ids made in this JVM, without a turn to the database for each.
 *
 * <ol>
 *   <li>For each shard that is used, a node is leased in the background from the shard's own schema: a share of the values
 *       of the sequence field, for a window of time by the database's clock that starts no earlier than the window of the
 *       node's previous holder ended.
 *   <li>An id is made only with the node's values and a timestamp inside the window. So ids of two holders differ in their
 *       timestamps, whatever clocks, pauses and networks do.
 *   <li>The ids of one shard and table are counted by one atomic number that only grows: the next id is the present time,
 *       or what follows the last id if the clock is not beyond it. An id that came from the database raises it.
 *   <li>While there is no lease, and when a burst has run too far ahead of the clock, the database is asked, as by
 *       {@link DatabaseIdSource}, over the caller's connection, for ids above the last one.
 *   <li>A lease is given back, after all counters of the shard were sealed, when the shard was not used for about half of
 *       the lease's length, and on {@link #close()}.
 * </ol>
 *
 * <p>Safe for use by any number of threads, virtual ones too. The ids of one shard and sequence only grow: an id is larger
 * than every id that was returned before it was asked for. Nobody waits for a lease. After {@link #close()} ids come from
 * the database.
 */
public final class JvmIdSource implements IdSource, AutoCloseable {
    private final Cluster cluster;
    private final IdLayout layout;
    private final DatabaseIdSource database;
    private final LeaseKeeper keeper;
    private final LeaseListener listener;
    private final FallbackLog log;
    private final LongSupplier nanoTime;
    private final AtomicReferenceArray<@Nullable ShardLease> shards;
    private final ConcurrentHashMap<String, Table> tables = new ConcurrentHashMap<>();

    /**
     * Touches no database.
     *
     * @param dataSource where leases are taken, over connections of its own, one per database at a time
     * @param options how leases are taken
     * @throws IllegalArgumentException if the layout has no JVM nodes
     */
    public JvmIdSource(RoutingDataSource dataSource, JvmIdOptions options) {
        this(
                dataSource.cluster(),
                new DatabaseLeaseStore(
                        dataSource,
                        dataSource.cluster().layout(),
                        LeaseKeeper.stepsOf(
                                options.lease(), dataSource.cluster().layout())),
                options,
                System::nanoTime);
    }

    JvmIdSource(Cluster cluster, LeaseStore store, JvmIdOptions options, LongSupplier nanoTime) {
        this.cluster = cluster;
        this.layout = cluster.layout();
        if (layout.jvmNodes() == 0) {
            throw new IllegalArgumentException("The layout " + layout + " leaves no ids for a JVM to make. Use the"
                    + " strategy DATABASE or COLUMN_DEFAULT, or change jvm-nodes: a JvmNodesChange does that on the living"
                    + " cluster.");
        }
        IntFunction<String> databaseOf = shard -> cluster.map().get().databaseOf(shard);
        this.keeper = new LeaseKeeper(store, databaseOf, layout, options, nanoTime);
        this.database = new DatabaseIdSource(layout);
        this.listener = options.listener();
        this.nanoTime = nanoTime;
        this.log = new FallbackLog(nanoTime.getAsLong());
        this.shards = new AtomicReferenceArray<>(cluster.shardCount());
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

    private long slowly(IdCounter counter, int shard, String sequence, Connection connection) throws SQLException {
        ShardLease lease = counter.shard();
        long now = nanoTime.getAsLong();
        FallbackReason reason = reason(lease, now);
        keeper.want(lease);
        listener.fallback(shard, reason);
        log.note(shard, reason, now);
        long id = database.nextAbove(counter.last(), shard, sequence, connection);
        counter.raise(id);
        return id;
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
        if (lease != null) {
            return lease;
        }
        ShardLease made = new ShardLease(shard, nanoTime.getAsLong());
        ShardLease first = shards.compareAndExchange(shard, null, made);
        return first == null ? made : first;
    }

    /** Those that the database made in this source's place. */
    IdCount fallbacks() {
        return database::addTo;
    }

    /** Adds to each shard how many ids this JVM has made itself. */
    void addTo(long[] made) {
        for (int shard = 0; shard < shards.length(); shard++) {
            ShardLease lease = shards.get(shard);
            if (lease != null) {
                made[shard] += lease.made();
            }
        }
    }

    /** How far the newest id of any shard is ahead of the clock. */
    Duration ahead() {
        long now = nanoTime.getAsLong();
        long steps = 0;
        for (int shard = 0; shard < shards.length(); shard++) {
            ShardLease lease = shards.get(shard);
            if (lease != null) {
                steps = Math.max(steps, lease.ahead(now));
            }
        }
        return Duration.ofMillis(steps * layout.unit().millis());
    }

    /**
     * The cluster whose ids are made.
     *
     * @return that of the data source
     */
    public Cluster cluster() {
        return cluster;
    }

    /**
     * Gives the leases back, waiting some seconds at most. Ids that are asked for from then on, or meanwhile, come from
     * the database.
     */
    @Override
    public void close() {
        if (keeper.isClosed()) {
            return;
        }
        List<ShardLease> used = new ArrayList<>();
        for (int shard = 0; shard < shards.length(); shard++) {
            ShardLease lease = shards.get(shard);
            if (lease != null) {
                used.add(lease);
            }
        }
        keeper.close(used);
    }

    /** The counters of one table; those of shards that are not used do not exist. */
    private final class Table implements IdSequence {
        private final String sequence;
        private final AtomicReferenceArray<@Nullable IdCounter> counters = new AtomicReferenceArray<>(shards.length());

        Table(String sequence) {
            this.sequence = sequence;
        }

        @Override
        public long next(int shard, Connection connection) throws SQLException {
            if (shard < 0 || shard >= counters.length()) {
                throw new UnknownShardException("There is no shard " + shard + ": this cluster's shards are 0 to "
                        + (counters.length() - 1) + ".");
            }
            IdCounter counter = counters.get(shard);
            if (counter == null) {
                counter = newCounter(shard);
            }
            long id = counter.advance(nanoTime.getAsLong());
            return id != NodeLease.NONE ? id : slowly(counter, shard, sequence, connection);
        }

        private IdCounter newCounter(int shard) {
            IdCounter made = leaseOf(shard).newCounter();
            IdCounter first = counters.compareAndExchange(shard, null, made);
            return first == null ? made : first;
        }
    }
}
