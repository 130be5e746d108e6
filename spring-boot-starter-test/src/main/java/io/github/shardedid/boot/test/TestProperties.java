package io.github.shardedid.boot.test;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;

/** Replaces the configured cluster of the application with the cluster of a test. */
final class TestProperties {
    private static final String SOURCE = "sharded cluster of the test";
    private static final String GLOBAL = "sharded-id.global.database";

    private TestProperties() {}

    /** Also sets the addresses of the connection details as properties, because applications may read these. */
    static void apply(
            ConfigurableEnvironment environment, ClusterSettings settings, ShardedConnectionDetails databases) {
        MutablePropertySources sources = environment.getPropertySources();
        for (PropertySource<?> source : sources.stream().toList()) {
            if (source instanceof EnumerablePropertySource<?> enumerable && WithoutDatabases.areIn(enumerable)) {
                sources.replace(source.getName(), WithoutDatabases.of(enumerable));
            }
        }
        Map<String, Object> properties = properties(environment, settings);
        settings.ranges().keySet().forEach(name -> address(name, databases.connectionTo(name), properties));
        sources.addFirst(new MapPropertySource(SOURCE, properties));
        if (!environment.containsProperty("spring.flyway.url")) {
            // The starter sets the same default if databases are configured.
            sources.addLast(new MapPropertySource(SOURCE + ", defaults", Map.of("spring.flyway.enabled", "false")));
        }
    }

    private static void address(
            String name, ShardedConnectionDetails.@Nullable Connection connection, Map<String, Object> properties) {
        if (connection != null) {
            String prefix = "sharded-id.databases." + name + ".";
            properties.put(prefix + "url", connection.url());
            properties.put(prefix + "username", String.valueOf(connection.username()));
            properties.put(prefix + "password", String.valueOf(connection.password()));
        }
    }

    private static Map<String, Object> properties(ConfigurableEnvironment environment, ClusterSettings settings) {
        Map<String, String> ranges = settings.ranges();
        Map<String, Object> properties = new HashMap<>();
        properties.put("sharded-id.shards", settings.shards());
        // New databases are empty, so they must be provisioned.
        properties.put("sharded-id.provisioning.enabled", "true");
        ranges.forEach((name, range) -> properties.put("sharded-id.databases." + name + ".shards", range));
        String global = Binder.get(environment).bind(GLOBAL, String.class).orElse("");
        Set<String> names = ranges.keySet();
        if (!global.isBlank() && !names.contains(global)) {
            properties.put(GLOBAL, names.iterator().next());
        }
        // @DataJpaTest would replace the shards with an in-memory database.
        properties.put("spring.test.database.replace", "NONE");
        return properties;
    }
}
