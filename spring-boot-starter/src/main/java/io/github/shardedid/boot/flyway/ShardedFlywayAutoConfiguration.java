package io.github.shardedid.boot.flyway;

import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.routing.RoutingDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration that keeps Boot's own Flyway from migrating the routing data source if {@link
 * FlywayOffEnvironmentPostProcessor} runs too early: before the databases are configured, as in tests with
 * {@code @DynamicPropertySource}.
 */
@AutoConfiguration(after = ShardedIdAutoConfiguration.class)
@ConditionalOnClass(FlywayMigrationStrategy.class)
@ConditionalOnShardedDatabases
public final class ShardedFlywayAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(ShardedFlywayAutoConfiguration.class);

    ShardedFlywayAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    FlywayMigrationStrategy shardedIdFlywayMigrationStrategy(Environment environment) {
        boolean wanted = environment.containsProperty("spring.flyway.enabled");
        return flyway -> {
            if (wanted || !isRouting(flyway)) {
                flyway.migrate();
            } else {
                LOG.info("Boot's own Flyway is skipped: the provisioner runs the scripts of the shards");
            }
        };
    }

    private static boolean isRouting(Flyway flyway) {
        DataSource dataSource = flyway.getConfiguration().getDataSource();
        try {
            return dataSource != null && dataSource.isWrapperFor(RoutingDataSource.class);
        } catch (SQLException e) {
            return false; // Flyway reports what is wrong
        }
    }
}
