package io.github.shardedid.boot.data;

import static java.util.Map.entry;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ConditionalOnShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.migration.StagedProvisioning;
import io.github.shardedid.routing.RoutingDataSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * Auto-configuration that keeps Boot's own Flyway from migrating the routing data source if {@link
 * FlywayOffEnvironmentPostProcessor} runs too early: before the databases are configured, as in tests with
 * {@code @DynamicPropertySource}.
 */
@AutoConfiguration(after = ShardedIdAutoConfiguration.class)
@ConditionalOnClass(FlywayMigrationStrategy.class)
@ConditionalOnShardedDatabases
public final class ShardedFlywayAutoConfiguration {
    private static final ConfigurationPropertyName ENABLED = ConfigurationPropertyName.of("spring.flyway.enabled");
    private static final Logger LOG = LoggerFactory.getLogger(ShardedFlywayAutoConfiguration.class);

    ShardedFlywayAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    FlywayMigrationStrategy shardedIdFlywayMigrationStrategy(
            Environment environment, ObjectProvider<StagedProvisioning> start) {
        return flyway -> {
            if (!isRouting(flyway)) {
                flyway.migrate();
            } else if (environment.containsProperty(ENABLED.toString())) {
                start.getObject().refuse(new ClusterConfigurationException(refusal(environment)));
            } else {
                LOG.info("Boot's own Flyway is skipped: the provisioner runs the scripts of the shards");
            }
        };
    }

    /** A library may set the property, so the application's own files do not show it. */
    private static String refusal(Environment environment) {
        String origin = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .map(source -> source.getConfigurationProperty(ENABLED))
                .filter(Objects::nonNull)
                .findFirst()
                .map(property -> " (" + property.getOrigin() + ")")
                .orElse("");
        return ENABLED + " lets Boot's own Flyway run scripts on the sharded data source, where they name no shard. Set"
                + " spring.flyway.url to a separate database, or remove " + ENABLED + origin
                + ", or set it to false in a property source that takes precedence: sharded-id runs the scripts of the shards, at"
                + " sharded-id.migrations, without Boot's Flyway.";
    }

    private static boolean isRouting(Flyway flyway) {
        DataSource dataSource = flyway.getConfiguration().getDataSource();
        try {
            return dataSource != null && dataSource.isWrapperFor(RoutingDataSource.class);
        } catch (SQLException e) {
            return false; // Flyway reports what is wrong
        }
    }

    /**
     * Disables Boot's own Flyway by default: the provisioner runs the migrations of the shards. {@code spring.flyway.enabled} and
     * {@code spring.flyway.url} override this.
     */
    static final class FlywayOffEnvironmentPostProcessor implements EnvironmentPostProcessor {
        /** The provisioner logs the progress; the tools would log several lines for each shard. */
        private static final Map<String, Object> DEFAULTS = Map.ofEntries(
                entry("spring.flyway.enabled", "false"),
                entry("logging.level.org.flywaydb", "warn"),
                entry("logging.level.liquibase", "warn"));

        @Override
        public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
            if (ConfiguredCluster.isConfigured(environment) && !environment.containsProperty("spring.flyway.url")) {
                environment.getPropertySources().addLast(new MapPropertySource("sharded-id", DEFAULTS));
            }
        }
    }
}
