package io.github.shardedid.boot.observation;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import com.zaxxer.hikari.metrics.PoolStats;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.pool.WaitListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;

/** The meters of HikariCP for a pool in parts: the same as for a pool that is whole. Safe for use by several threads. */
final class PartMetrics implements MetricsTrackerFactory, WaitListener {
    private static final long REFRESH_MILLIS = 1_000;

    private final List<PoolStats> parts = new CopyOnWriteArrayList<>();
    private final PartitionedDataSource pool;
    private final IMetricsTracker whole;

    private PartMetrics(PartitionedDataSource pool, MeterRegistry registry) {
        this.pool = pool;
        this.whole = new MicrometerMetricsTrackerFactory(registry).create(pool.name(), new Sums());
    }

    static void bind(PartitionedDataSource pool, MeterRegistry registry) {
        PartMetrics metrics = new PartMetrics(pool, registry);
        pool.setListener(metrics);
        pool.parts().forEach(part -> {
            if (part.source() instanceof HikariDataSource source) {
                source.setMetricsTrackerFactory(metrics);
            }
        });
    }

    @Override
    public IMetricsTracker create(String name, PoolStats stats) {
        parts.add(stats);
        return new OfPart();
    }

    @Override
    public void acquired(long nanos) {
        whole.recordConnectionAcquiredNanos(nanos);
    }

    @Override
    public void timedOut() {
        whole.recordConnectionTimeout();
    }

    /** Records what only a part knows. How long a caller waits is known to the whole: it may wait before it gets a part. */
    private final class OfPart implements IMetricsTracker {
        @Override
        public void recordConnectionCreatedMillis(long millis) {
            whole.recordConnectionCreatedMillis(millis);
        }

        @Override
        public void recordConnectionUsageMillis(long millis) {
            whole.recordConnectionUsageMillis(millis);
        }

        @Override
        public void recordConnectionTimeout() {
            whole.recordConnectionTimeout();
        }
    }

    private final class Sums extends PoolStats {
        Sums() {
            super(REFRESH_MILLIS);
        }

        @Override
        protected void update() {
            totalConnections = sum(PoolStats::getTotalConnections);
            idleConnections = sum(PoolStats::getIdleConnections);
            activeConnections = sum(PoolStats::getActiveConnections);
            pendingThreads = pool.waiting() + sum(PoolStats::getPendingThreads);
            maxConnections = pool.connections();
            minConnections = sum(PoolStats::getMinConnections);
        }

        private int sum(ToIntFunction<PoolStats> figure) {
            return parts.stream().mapToInt(figure).sum();
        }
    }
}
