package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.github.shardedid.boot.app.PhotoSharing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Environment variables as people write them. */
class DatabaseVariablesTests {
    private static StandardEnvironment environment(Map<String, Object> variables, Map<String, Object> file) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.replace(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new HashMap<>(variables)));
        sources.addLast(new OriginTrackedMapPropertySource("application.yml", file));
        return environment;
    }

    private static ShardedIdProperties bound(Map<String, Object> variables, Map<String, Object> file) {
        StandardEnvironment environment = environment(variables, file);
        new DatabaseVariablesEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());
        return Binder.get(environment)
                .bind("sharded-id", ShardedIdProperties.class)
                .get();
    }

    private static ShardedIdProperties.Database only(ShardedIdProperties properties, String name) {
        assertThat(properties.databases()).containsOnlyKeys(name);
        return properties.databases().values().iterator().next();
    }

    @Test
    void aDatabaseThatNoFileNamesIsFound() {
        ShardedIdProperties.Database pg1 = only(
                bound(
                        Map.of(
                                "SHARDED_ID_DATABASES_PG1_URL", "jdbc:postgresql:app",
                                "SHARDED_ID_DATABASES_PG1_DIRECT_URL", "jdbc:postgresql:direct",
                                "SHARDED_ID_DATABASES_PG1_USERNAME", "app",
                                "SHARDED_ID_DATABASES_PG1_PASSWORD", "s3cret",
                                "SHARDED_ID_DATABASES_PG1_SHARDS", "0-3, 5",
                                "SHARDED_ID_DATABASES_PG1_HIKARI_MAXIMUM_POOL_SIZE", "3"),
                        Map.of("sharded-id.shards", 8)),
                "pg1");

        assertThat(pg1.url()).isEqualTo("jdbc:postgresql:app");
        assertThat(pg1.directUrl()).isEqualTo("jdbc:postgresql:direct");
        assertThat(pg1.username()).isEqualTo("app");
        assertThat(pg1.password()).isEqualTo("s3cret");
        assertThat(pg1.shards()).isEqualTo(List.of("0-3", "5"));
        assertThat(pg1.hikari()).containsExactly(Map.entry("maximum-pool-size", "3"));
    }

    @Test
    void replicasHaveTheirVariables() {
        ShardedIdProperties.Database pg1 = only(
                bound(
                        Map.of(
                                "SHARDED_ID_DATABASES_PG1_URL", "jdbc:postgresql:app",
                                "SHARDED_ID_DATABASES_PG1_REPLICAS_0_URL", "jdbc:postgresql://first/app",
                                "SHARDED_ID_DATABASES_PG1_REPLICAS_1_URL", "jdbc:postgresql://second/app",
                                "SHARDED_ID_DATABASES_PG1_REPLICAS_1_PASSWORD", "s3cret"),
                        Map.of("sharded-id.shards", 8)),
                "pg1");

        assertThat(pg1.replicas())
                .extracting(ShardedIdProperties.Replica::url)
                .containsExactly("jdbc:postgresql://first/app", "jdbc:postgresql://second/app");
        assertThat(pg1.replicas().get(1).password()).isEqualTo("s3cret");
        assertThat(pg1.replicas().toString()).doesNotContain("s3cret");
    }

    @Test
    void allOtherPropertiesHaveTheirVariablesToo() {
        ShardedIdProperties properties = bound(
                Map.of(
                        "SHARDED_ID_DATABASES_PG1_URL", "jdbc:postgresql:app",
                        "SHARDED_ID_EPOCH", "2024-01-01T00:00:00Z",
                        "SHARDED_ID_SHARDS", "16",
                        "SHARDED_ID_JVM_NODES", "64",
                        "SHARDED_ID_JVM_IDS_LEASE", "90s",
                        "SHARDED_ID_LAYOUT_TIMESTAMP_BITS", "42",
                        "SHARDED_ID_MIGRATIONS", "classpath:db/other",
                        "SHARDED_ID_PROVISIONING_ENABLED", "false",
                        "SHARDED_ID_HIKARI_CONNECTION_TIMEOUT", "2000"),
                Map.of("sharded-id.shards", 8));

        assertThat(properties.epoch()).hasToString("2024-01-01T00:00:00Z");
        assertThat(properties.shards()).isEqualTo(16);
        assertThat(properties.jvmNodes()).isEqualTo(64);
        assertThat(properties.jvmIds().lease()).hasSeconds(90);
        assertThat(properties.layout().timestampBits()).isEqualTo(42);
        assertThat(properties.migrations()).containsExactly("classpath:db/other");
        assertThat(properties.provisioning().enabled()).isFalse();
        assertThat(properties.hikari()).containsExactly(Map.entry("connection-timeout", "2000"));
    }

    @Test
    void aVariableCountsMoreThanTheFileThatNamesTheDatabase() {
        for (String name : new String[] {"eu-west", "euWest", "eu_west", "EU-West"}) {
            ShardedIdProperties.Database database = only(
                    bound(
                            Map.of(
                                    "SHARDED_ID_DATABASES_EU_WEST_PASSWORD", "s3cret",
                                    "SHARDED_ID_DATABASES_EU_WEST_URL", "jdbc:postgresql:other",
                                    "SHARDED_ID_DATABASES_EU_WEST_HIKARI_MAXIMUM_POOL_SIZE", "3"),
                            Map.of(
                                    "sharded-id.databases." + name + ".url", "jdbc:postgresql:app",
                                    "sharded-id.databases." + name + ".username", "app")),
                    name);
            assertThat(database.url()).isEqualTo("jdbc:postgresql:other");
            assertThat(database.username()).isEqualTo("app");
            assertThat(database.password()).isEqualTo("s3cret");
            assertThat(database.hikari()).containsExactly(Map.entry("maximum-pool-size", "3"));
        }
    }

    @Test
    void aDatabaseOfSeveralWordsIsNamedWithHyphens() {
        assertThat(only(bound(Map.of("SHARDED_ID_DATABASES_EU_WEST_URL", "jdbc:postgresql:app"), Map.of()), "eu-west")
                        .url())
                .isEqualTo("jdbc:postgresql:app");
    }

    @Test
    void theSpellingOfBootAndSystemPropertiesCountMore() {
        StandardEnvironment environment = environment(
                Map.of(
                        "SHARDED_ID_DATABASES_PG1_URL", "jdbc:postgresql:third",
                        "SHARDED_ID_DATABASES_PG1_USERNAME", "third",
                        "SHARDED_ID_DATABASES_PG1_PASSWORD", "third",
                        "SHARDEDID_DATABASES_PG1_URL", "jdbc:postgresql:second",
                        "SHARDEDID_DATABASES_PG1_USERNAME", "second"),
                Map.of());
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "command line", Map.of("sharded-id.databases.pg1.url", "jdbc:postgresql:first")));
        new DatabaseVariablesEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());

        ShardedIdProperties.Database pg1 = only(
                Binder.get(environment)
                        .bind("sharded-id", ShardedIdProperties.class)
                        .get(),
                "pg1");
        assertThat(pg1.url()).isEqualTo("jdbc:postgresql:first");
        assertThat(pg1.username()).isEqualTo("second");
        assertThat(pg1.password()).isEqualTo("third");
    }

    @Test
    void nothingIsAddedWithoutSuchVariables() {
        StandardEnvironment environment = environment(Map.of("SHARDED_ID_SHARDS", "8", "PATH", "/bin"), Map.of());
        new DatabaseVariablesEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());

        assertThat(environment.getPropertySources().contains(DatabaseVariablesEnvironmentPostProcessor.SOURCE))
                .isFalse();
    }

    @Test
    void anApplicationIsConfiguredByVariablesAlone() {
        StandardEnvironment environment = environment(
                Map.of("SHARDED_ID_DATABASES_PG1_URL", "jdbc:mysql:app", "SHARDED_ID_SHARDS", "8"), Map.of());

        assertThatException()
                .isThrownBy(() -> new SpringApplicationBuilder(PhotoSharing.class)
                        .environment(environment)
                        .web(WebApplicationType.NONE)
                        .run()
                        .close())
                .withStackTraceContaining("sharded-id.databases.pg1.url does not begin with jdbc:postgresql:");
        assertThat(environment.getProperty("spring.flyway.enabled")).isEqualTo("false");
    }
}
