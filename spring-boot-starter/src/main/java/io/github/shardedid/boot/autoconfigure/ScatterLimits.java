package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.routing.ScatterOptions;
import java.util.Collection;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of concurrent queries over several shards to the connections in the smallest pool. Such a query holds a
 * connection to one database while it waits for a connection to another: too many of them could deadlock two pools.
 */
final class ScatterLimits {
    private static final Logger LOG = LoggerFactory.getLogger(ScatterLimits.class);

    private ScatterLimits() {}

    private static int connections(DataSource source) {
        if (source instanceof PartitionedDataSource parts) {
            return parts.connections();
        }
        return source instanceof HikariDataSource pool ? pool.getMaximumPoolSize() : Integer.MAX_VALUE;
    }

    static ScatterOptions within(ScatterOptions wanted, ShardedDatabases databases) {
        int smallest = Stream.concat(
                        databases.byName().values().stream(),
                        databases.replicas().values().stream().flatMap(Collection::stream))
                .mapToInt(ScatterLimits::connections)
                .min()
                .orElse(Integer.MAX_VALUE);
        int most = Math.max(1, smallest / wanted.connectionsPerDatabase());
        if (wanted.concurrentQueries() <= most) {
            return wanted;
        }
        LOG.info(
                "At most {} queries over several shards run concurrently, not {}: the smallest pool has {} connections",
                most,
                wanted.concurrentQueries(),
                smallest);
        return new ScatterOptions(
                wanted.shardsPerStatement(),
                wanted.connectionsPerDatabase(),
                most,
                wanted.longestWait(),
                wanted.maxRows(),
                wanted.maxPageRows(),
                wanted.executor());
    }
}
