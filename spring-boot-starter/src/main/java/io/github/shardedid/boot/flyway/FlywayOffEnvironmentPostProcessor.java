package io.github.shardedid.boot.flyway;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Disables Boot's own Flyway by default: the provisioner runs the migrations of the shards. {@code spring.flyway.enabled} and
 * {@code spring.flyway.url} override this.
 */
final class FlywayOffEnvironmentPostProcessor implements EnvironmentPostProcessor {
    /** The provisioner logs the progress; the tools would log several lines for each shard. */
    private static final Map<String, Object> DEFAULTS = Map.of(
            "spring.flyway.enabled", "false", "logging.level.org.flywaydb", "warn", "logging.level.liquibase", "warn");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (ConfiguredCluster.isConfigured(environment) && !environment.containsProperty("spring.flyway.url")) {
            environment.getPropertySources().addLast(new MapPropertySource("sharded-id", DEFAULTS));
        }
    }
}
