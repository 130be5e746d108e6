package io.github.shardedid.benchmarks.peers;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.ShardingSphereDataSourceFactory;
import org.apache.shardingsphere.infra.algorithm.core.config.AlgorithmConfiguration;
import org.apache.shardingsphere.infra.config.mode.ModeConfiguration;
import org.apache.shardingsphere.mode.repository.standalone.StandalonePersistRepositoryConfiguration;
import org.apache.shardingsphere.sharding.api.config.ShardingRuleConfiguration;
import org.apache.shardingsphere.sharding.api.config.rule.ShardingTableRuleConfiguration;
import org.apache.shardingsphere.sharding.api.config.strategy.sharding.ComplexShardingStrategyConfiguration;

/**
 * ShardingSphere-JDBC over the same two databases: each shard is an actual table of one of them. It finds the table by the
 * id or by the user, of which either may be known, so by its strategy for several columns and an algorithm in Java.
 */
public final class ShardingSphere {
    /** As many of a pool's eight connections as a query over many tables may take, rather than 1, the default. */
    private static final int CONNECTIONS_OF_A_QUERY = 4;

    private static final String COLUMNS = "id,user_id";

    private ShardingSphere() {}

    static String tableOf(int shard) {
        return "public.photo_" + shard;
    }

    static String databaseOf(int index) {
        return "pg" + (index + 1);
    }

    /** A data source over all tables. It has to be closed. */
    public static DataSource over(SamePhotos photos) throws SQLException {
        Map<String, DataSource> pools = new LinkedHashMap<>();
        for (int i = 0; i < photos.tablePools().size(); i++) {
            pools.put(databaseOf(i), photos.tablePools().get(i));
        }
        Properties settings = new Properties();
        settings.setProperty("sql-show", "false");
        settings.setProperty("max-connections-size-per-query", String.valueOf(CONNECTIONS_OF_A_QUERY));
        ModeConfiguration mode = new ModeConfiguration(
                "Standalone", new StandalonePersistRepositoryConfiguration("Memory", new Properties()));
        return ShardingSphereDataSourceFactory.createDataSource("photos", mode, pools, List.of(rule(photos)), settings);
    }

    private static ShardingRuleConfiguration rule(SamePhotos photos) {
        String nodes = IntStream.range(0, photos.shards())
                .mapToObj(shard -> databaseOf(photos.databaseOf(shard)) + ".photo_" + shard)
                .collect(Collectors.joining(",", "<LITERAL>", ""));
        ShardingTableRuleConfiguration table = new ShardingTableRuleConfiguration("photo", nodes);
        table.setDatabaseShardingStrategy(new ComplexShardingStrategyConfiguration(COLUMNS, "database"));
        table.setTableShardingStrategy(new ComplexShardingStrategyConfiguration(COLUMNS, "table"));
        ShardingRuleConfiguration rule = new ShardingRuleConfiguration();
        rule.getTables().add(table);
        for (String target : List.of("database", "table")) {
            rule.getShardingAlgorithms().put(target, algorithm(target, photos.shards()));
        }
        return rule;
    }

    private static AlgorithmConfiguration algorithm(String target, int shards) {
        Properties settings = new Properties();
        settings.setProperty("strategy", "COMPLEX");
        settings.setProperty("algorithmClassName", PhotoSharding.class.getName());
        settings.setProperty("target", target);
        settings.setProperty("shards", String.valueOf(shards));
        return new AlgorithmConfiguration("CLASS_BASED", settings);
    }
}
