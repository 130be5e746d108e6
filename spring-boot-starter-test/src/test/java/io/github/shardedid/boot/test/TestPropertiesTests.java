package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails.Connection;
import io.github.shardedid.boot.test.AutoConfigureShardedCluster.Servers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What a configuration says of databases is replaced, however it is written; the rest stays. */
class TestPropertiesTests {
    private static final Bindable<Map<String, Object>> ANY = Bindable.mapOf(String.class, Object.class);

    private final StandardEnvironment environment = new StandardEnvironment();
    private final Map<String, Object> configured = new LinkedHashMap<>();

    private static @Nullable Connection reached(String database) {
        return database.equals("pg2") ? new Connection("jdbc:test", "a", "b") : null;
    }

    private Binder applied() {
        String system = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment
                .getPropertySources()
                .replace(
                        system,
                        new SystemEnvironmentPropertySource(
                                system, Map.of("SHARDEDID_DATABASES_PG7_URL", "jdbc:x", "SHARDEDID_JVMNODES", "16")));
        environment.getPropertySources().addLast(new MapPropertySource("file", configured));
        TestProperties.apply(environment, new ClusterSettings(3, 8, Servers.AUTO, ""), TestPropertiesTests::reached);
        return Binder.get(environment);
    }

    @Test
    void onlyTheTestsDatabasesAreLeft() {
        configured.put("sharded-id.databases.eu.url", "jdbc:postgresql://production/app");
        configured.put("shardedId.databases[us-east].url", "jdbc:postgresql://production/app");
        configured.put("sharded-id.shards", 2000);
        configured.put("sharded-id.epoch", "2024-01-01T00:00:00Z");
        Binder binder = applied();

        assertThat(binder.bind("sharded-id.databases", ANY).get())
                .isEqualTo(Map.of(
                        "pg1", Map.of("shards", "0-1"),
                        "pg2", Map.of("shards", "2-4", "url", "jdbc:test", "username", "a", "password", "b"),
                        "pg3", Map.of("shards", "5-7")));
        assertThat(environment.getProperty("sharded-id.databases.eu.url")).isNull();
        assertThat(binder.bind("sharded-id.shards", Integer.class).get()).isEqualTo(8);
        assertThat(binder.bind("sharded-id.jvm-nodes", Integer.class).get()).isEqualTo(16);
        assertThat(environment.getProperty("sharded-id.epoch")).isEqualTo("2024-01-01T00:00:00Z");
    }

    /** Boot puts the port of a web server into the source of a test's properties, for instance. */
    @Test
    void aSourceStaysTheMapThatItWas() {
        configured.put("sharded-id.databases.eu.url", "jdbc:postgresql://production/app");
        CompositePropertySource composite = new CompositePropertySource("some");
        composite.addPropertySource(new MapPropertySource("one", Map.of("sharded-id.databases.us.url", "x", "a", "b")));
        environment.getPropertySources().addFirst(composite);
        applied();
        configured.put("added.later", "yes");

        assertThat(environment.getPropertySources().get("file")).isInstanceOf(MapPropertySource.class);
        assertThat(environment.getProperty("added.later")).isEqualTo("yes");
        assertThat(environment.getProperty("a")).isEqualTo("b");
        assertThat(environment.containsProperty("sharded-id.databases.eu.url")).isFalse();
        assertThat(environment.containsProperty("sharded-id.databases.us.url")).isFalse();
    }

    @Test
    void theGlobalDatabaseIsOneOfTheTestsIfThereIsOne() {
        assertThat(applied().bind("sharded-id.global.database", String.class).isBound())
                .isFalse();
        configured.put("sharded-id.global.database", "pg2");
        assertThat(applied().bind("sharded-id.global.database", String.class).get())
                .isEqualTo("pg2");
        configured.put("sharded-id.global.database", "eu");
        assertThat(applied().bind("sharded-id.global.database", String.class).get())
                .isEqualTo("pg1");
    }

    @Test
    void bootsOwnFlywayStaysOffUnlessItHasADatabaseOfItsOwn() {
        applied();
        assertThat(environment.getProperty("spring.flyway.enabled")).isEqualTo("false");

        StandardEnvironment other = new StandardEnvironment();
        other.getPropertySources().addLast(new MapPropertySource("file", Map.of("spring.flyway.url", "jdbc:x")));
        TestProperties.apply(other, new ClusterSettings(1, 1, Servers.AUTO, ""), name -> null);
        assertThat(other.getProperty("spring.flyway.enabled")).isNull();
    }

    @Test
    void aClusterWithoutDatabasesOrShardsIsRefused() {
        for (int[] wrong : new int[][] {{0, 8}, {2, 1}}) {
            assertThatThrownBy(() -> new ClusterSettings(wrong[0], wrong[1], Servers.AUTO, ""))
                    .hasMessageContaining("databases = " + wrong[0] + ", shards = " + wrong[1])
                    .hasMessageContaining("at least 1 database, and at least 1 shard per database");
        }
    }
}
