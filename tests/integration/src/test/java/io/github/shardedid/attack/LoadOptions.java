package io.github.shardedid.attack;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.topology.ShardRanges;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What worker processes make of their {@link WorkerOptions} in a cluster whose shards move. */
final class LoadOptions {
    static final int SHARDS = 4;
    static final String SCRIPTS = "classpath:db/bank";
    private static final int POOL = 12;
    private static final int TIMEOUT_MILLIS = 30_000;

    private LoadOptions() {}

    static ClusterDefinition definition(WorkerOptions options) {
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        options.homes().forEach((name, home) -> ranges.put(name, home.shards()));
        return new ClusterDefinition(IdLayout.DEFAULT, SHARDS, ranges);
    }

    static Map<String, HikariDataSource> pools(WorkerOptions options) {
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        options.homes().forEach((name, home) -> pools.put(name, pool(name, home)));
        return pools;
    }

    /** For connections that are held as long as the process lives. */
    static Map<String, DataSource> unpooled(WorkerOptions options) {
        Map<String, DataSource> sources = new LinkedHashMap<>();
        options.homes().forEach((name, home) -> {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(home.url());
            source.setUser(home.user());
            source.setPassword(home.password());
            sources.put(name, source);
        });
        return sources;
    }

    private static HikariDataSource pool(String name, WorkerOptions.Home home) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(home.url());
        config.addDataSourceProperty("currentSchema", "no_shard_selected");
        config.addDataSourceProperty("prepareThreshold", "1");
        config.setUsername(home.user());
        config.setPassword(home.password());
        config.setMaximumPoolSize(POOL);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
