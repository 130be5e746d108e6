package io.github.shardedid.boot.test;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;

/** Makes the pools of an application reconnect to a restarted database immediately instead of seconds later. */
final class ApplicationPools {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private ApplicationPools() {}

    static void awaitReach(BeanFactory beans, String database) {
        ShardedDatabases pools = beans.getBean(ShardedDatabases.class);
        Stream.of(pools.byName(), pools.readPools(), pools.forMap())
                .map((Map<String, DataSource> each) -> each.get(database))
                .filter(Objects::nonNull)
                .forEach(pool -> awaitReach(pool, database));
        // Otherwise calls fail at once until the application notices by itself.
        CurrentShardMap map = beans.getBean(CurrentShardMap.class);
        map.refreshSince(map.nanoTime());
    }

    private static void awaitReach(DataSource pool, String database) {
        if (pool instanceof HikariDataSource hikari) {
            HikariPoolMXBean broken = hikari.getHikariPoolMXBean();
            if (broken != null) {
                broken.softEvictConnections();
            }
        }
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try (Connection connection = pool.getConnection()) {
                connection.createStatement().execute("SELECT 1");
                return;
            } catch (SQLException e) {
                if (System.nanoTime() - end > 0) {
                    throw new TestServersException(
                            "The application cannot connect to database " + database
                                    + " after its restart; see the cause.",
                            e);
                }
            }
        }
    }
}
