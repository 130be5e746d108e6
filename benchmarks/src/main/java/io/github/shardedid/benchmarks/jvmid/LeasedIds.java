package io.github.shardedid.benchmarks.jvmid;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.IdSequence;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.JvmIdSource;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.id.IdLayout;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A source of JVM ids with leases of all shards. Closing it fails if the database generated an id during the measurement, so
 * that the figures contain only ids of the JVM.
 */
final class LeasedIds implements AutoCloseable {
    static final String SEQUENCE = "photo_id_seq";

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Round trips that cannot be seen among millions of ids: a busy machine may renew a lease late. */
    private static final int FEW = 5;

    private final ShardedDatabases databases;
    private final JvmIdSource source;
    private final IdSequence sequence;
    private final Connection connection;
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicInteger fallbacks = new AtomicInteger();

    /** Leases a node of each shard of a provisioned database that has the tables. */
    LeasedIds(String url, IdLayout layout, int shards) throws SQLException {
        databases = new ShardedDatabases(layout, shards, new Database(url));
        connection = databases.dataSource().getConnection();
        // A loop that does nothing else makes more ids than the clock allows: it may run ahead as far as the lease
        // lasts.
        source = new JvmIdSource(
                databases.dataSource(),
                new JvmIdOptions(JvmIdOptions.LONGEST_LEASE, JvmIdOptions.LONGEST_LEASE, new LeaseListener() {
                    @Override
                    public void granted(int shard, int node) {
                        granted.incrementAndGet();
                    }

                    @Override
                    public void fallback(int shard, FallbackReason reason) {
                        fallbacks.incrementAndGet();
                    }
                }));
        sequence = source.sequence(SEQUENCE);
        for (int shard = 0; shard < shards; shard++) {
            next(shard);
        }
        awaitLeases(shards);
        fallbacks.set(0);
    }

    private void awaitLeases(int shards) {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (granted.get() < shards) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "After a minute only " + granted + " of " + shards + " leases are granted");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    long next(int shard) throws SQLException {
        return sequence.next(shard, connection);
    }

    @Override
    public void close() throws SQLException {
        source.close();
        connection.close();
        databases.close();
        if (fallbacks.get() > FEW) {
            throw new IllegalStateException(fallbacks + " ids came from the database: nothing was measured");
        }
    }
}
