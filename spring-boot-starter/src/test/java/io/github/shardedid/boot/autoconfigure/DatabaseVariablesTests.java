package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.app.PhotoSharing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Environment variables as Spring Boot reads them, and as people write them. */
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

    private static ShardedIdProperties.Database only(ShardedIdProperties properties, String name) {
        assertThat(properties.databases()).containsOnlyKeys(name);
        return properties.databases().values().iterator().next();
    }

    @Test
    void aDatabaseThatNoFileNamesIsFound() {
        ShardedIdProperties.Database pg1 = only(
                PropertyCheck.check(environment(
                        Map.of(
                                "SHARDEDID_DATABASES_PG1_URL", "jdbc:postgresql:app",
                                "SHARDEDID_DATABASES_PG1_DIRECTURL", "jdbc:postgresql:direct",
                                "SHARDEDID_DATABASES_PG1_USERNAME", "app",
                                "SHARDEDID_DATABASES_PG1_PASSWORD", "s3cret",
                                "SHARDEDID_DATABASES_PG1_SHARDS", "0-3, 5",
                                "SHARDEDID_DATABASES_PG1_HIKARI_MAXIMUMPOOLSIZE", "3",
                                "SHARDEDID_DATABASES_PG1_REPLICAS_0_URL", "jdbc:postgresql://first/app",
                                "SHARDEDID_DATABASES_PG1_REPLICAS_1_URL", "jdbc:postgresql://second/app"),
                        Map.of("sharded-id.shards", 8))),
                "pg1");

        assertThat(pg1.url()).isEqualTo("jdbc:postgresql:app");
        assertThat(pg1.directUrl()).isEqualTo("jdbc:postgresql:direct");
        assertThat(pg1.username()).isEqualTo("app");
        assertThat(pg1.password()).isEqualTo("s3cret");
        assertThat(pg1.shards()).isEqualTo(List.of("0-3", "5"));
        assertThat(pg1.hikari()).containsExactly(Map.entry("maximumpoolsize", "3"));
        assertThat(pg1.replicas())
                .extracting(ShardedIdProperties.Replica::url)
                .containsExactly("jdbc:postgresql://first/app", "jdbc:postgresql://second/app");
    }

    @Test
    void whatAFileNamesHasBothSpellings() {
        Map<String, Object> file = Map.of(
                "sharded-id.databases.eu-west.url", "jdbc:postgresql:app",
                "sharded-id.databases.eu-west.username", "app",
                "sharded-id.shards", 8);
        ShardedIdProperties properties = PropertyCheck.check(environment(
                Map.of(
                        "SHARDED_ID_SHARDS", "16",
                        "SHARDEDID_JVMNODES", "128",
                        "SHARDED_ID_LAYOUT_TIMESTAMP_BITS", "42"),
                file));

        assertThat(only(properties, "eu-west").username()).isEqualTo("app");
        assertThat(properties.shards()).isEqualTo(16);
        assertThat(properties.jvmNodes()).isEqualTo(128);
        assertThat(properties.layout().timestampBits()).isEqualTo(42);
    }

    /** Boot would ignore it, and the application could use another database than was meant. */
    @ParameterizedTest
    @CsvSource({
        "SHARDED_ID_DATABASES_PG2_URL",
        "SHARDED_ID_DATABASES_PG2_DIRECT_URL",
        "SHARDED_ID_DATABASES_PG1_REPLICAS_0_PASSWORD",
        "SHARDED_ID_DATABASES_EU_WEST_REPLICAS_0_PASSWORD",
        "SHARDED_ID_DATABASES_PG1_HIKARI_MAXIMUM_POOL_SIZE",
        "SHARDED_ID_DATABASES_EUWEST_URL",
        "SHARDED_ID_HIKARI_CONNECTION_TIMEOUT"
    })
    void aVariableThatBootDoesNotReadIsRefused(String variable) {
        StandardEnvironment environment = environment(
                Map.of(variable, "s3cret"),
                Map.of(
                        "sharded-id.databases.pg1.url", "jdbc:postgresql:app",
                        "sharded-id.databases.eu-west.url", "jdbc:postgresql:app",
                        "sharded-id.shards", 8));

        assertThatThrownBy(() -> PropertyCheck.check(environment))
                .isInstanceOf(ClusterConfigurationException.class)
                .hasMessageContaining("variable " + variable + " would have no effect")
                .hasMessageContaining("SHARDEDID_DATABASES_PG1_DIRECTURL")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHARDED_ID_PORT", "SHARDED_ID_DATABASES_SERVICE_HOST", "SHARDED_ID_SERVICE_PORT", "PATH"})
    void aVariableOfAnotherProgramIsNot(String variable) {
        StandardEnvironment environment = environment(
                Map.of(variable, "x"),
                Map.of("sharded-id.databases.pg1.url", "jdbc:postgresql:app", "sharded-id.shards", 8));

        assertThat(PropertyCheck.check(environment).shards()).isEqualTo(8);
    }

    @Test
    void anEmptyVariableIsRefused() {
        StandardEnvironment environment = environment(
                Map.of("SHARDED_ID_EPOCH", "", "SHARDEDID_DATABASES_PG1_URL", "jdbc:postgresql:app"), Map.of());

        assertThatThrownBy(() -> PropertyCheck.check(environment))
                .hasMessage("sharded-id.epoch is empty. Set a value," + " or remove the property to use its default.");
    }

    @ParameterizedTest
    @CsvSource({
        "SHARDEDID_DATABASES_PG1_URL, sharded-id.databases.pg1.url is no JDBC URL of PostgreSQL",
        "SHARDED_ID_DATABASES_PG1_URL, would have no effect"
    })
    void anApplicationIsConfiguredByVariablesAlone(String variable, String refused) {
        StandardEnvironment environment =
                environment(Map.of(variable, "jdbc:mysql:app", "SHARDED_ID_SHARDS", "8"), Map.of());

        assertThatException()
                .isThrownBy(() -> new SpringApplicationBuilder(PhotoSharing.class)
                        .environment(environment)
                        .web(WebApplicationType.NONE)
                        .run()
                        .close())
                .withStackTraceContaining(refused);
        assertThat(environment.getProperty("spring.flyway.enabled")).isEqualTo("false");
    }
}
