package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.routing.ScatterOptions;
import java.util.Collection;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * No more queries over several shards at once than the smallest pool has connections for. Each holds a connection to one database
 * while it waits for one to another: more of them could hold all connections of two pools and wait for each other.
 */
final class ScatterLimits {
    private static final Logger LOG = LoggerFactory.getLogger(ScatterLimits.class);

    private ScatterLimits() {}

    static ScatterOptions within(ScatterOptions wanted, ShardedDatabases databases) {
        int smallest = Stream.concat(
                        databases.byName().values().stream(),
                        databases.replicas().values().stream().flatMap(Collection::stream))
                .filter(HikariDataSource.class::isInstance)
                .mapToInt(pool -> ((HikariDataSource) pool).getMaximumPoolSize())
                .min()
                .orElse(Integer.MAX_VALUE);
        int most = Math.max(1, smallest / wanted.connectionsPerDatabase());
        if (wanted.concurrentQueries() <= most) {
            return wanted;
        }
        LOG.info(
                "{} queries over several shards run at once at most, not {}: the smallest pool has {} connections",
                most,
                wanted.concurrentQueries(),
                smallest);
        return new ScatterOptions(
                wanted.shardsPerStatement(),
                wanted.connectionsPerDatabase(),
                most,
                wanted.longestWait(),
                wanted.maxRows(),
                wanted.executor());
    }
}
