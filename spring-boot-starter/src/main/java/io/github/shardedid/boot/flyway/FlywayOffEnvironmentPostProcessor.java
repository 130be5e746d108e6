package io.github.shardedid.boot.flyway;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Keeps Boot's own Flyway, if it is there, off the routing data source: the migrations of the shards are run by the
 * provisioner. A default of lowest precedence, which {@code spring.flyway.enabled} or {@code spring.flyway.url} overrides.
 */
final class FlywayOffEnvironmentPostProcessor implements EnvironmentPostProcessor {
    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (ConfiguredCluster.isConfigured(environment) && !environment.containsProperty("spring.flyway.url")) {
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("sharded-id", Map.of("spring.flyway.enabled", "false")));
        }
    }
}
