package io.github.shardedid.boot.modulith;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.routing.RoutingDataSource;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Defaults of Spring Modulith's properties: its table is in the schema of the current shard, and is created by a migration of the
 * shards.
 */
final class EventTablesEnvironmentPostProcessor implements EnvironmentPostProcessor {
    static final String SCHEMA = "spring.modulith.events.jdbc.schema";
    private static final String INITIALIZATION = "spring.modulith.events.jdbc.schema-initialization.enabled";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (ConfiguredCluster.isConfigured(environment)) {
            Map<String, Object> defaults =
                    Map.of(SCHEMA, RoutingDataSource.SCHEMA_PLACEHOLDER, INITIALIZATION, "false");
            environment.getPropertySources().addLast(new MapPropertySource("sharded-id, event publications", defaults));
        }
    }
}
