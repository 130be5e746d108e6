package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

/** Values that cannot be stop the start before any database is asked, and are named. */
class PropertyChecksTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.databases.pg1.shards=0-7");

    @ParameterizedTest
    @CsvSource({
        "sharded-id.shards, 0",
        "sharded-id.jvm-nodes, 3",
        "sharded-id.jvm-ids.lease, 1h",
        "sharded-id.jvm-ids.ahead, -1s",
        "sharded-id.layout, timestamp-bits=99",
        "sharded-id.databases.pg1.shards, 7-0",
        "sharded-id.all-shards, max-rows=0",
        "sharded-id.all-shards, shards-per-statement=251",
        "sharded-id.fence-wait, -1s",
        "sharded-id.map.poll, 0s",
        "sharded-id.global.schema, other",
        "sharded-id.map.retry, 0s",
        "sharded-id.global.database, pg9",
        "sharded-id.moves, concurrent=0",
        "sharded-id.moves, lock-timeout=0s",
        "sharded-id.read-pool-size, -1"
    })
    void aValueThatCannotBeIsNamed(String property, String value) {
        String setting = value.contains("=") ? property + "." + value : property + "=" + value;
        runner.withPropertyValues(setting).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining(ClusterConfigurationException.class.getName() + ": ")
                .hasStackTraceContaining(property));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "provisioning.enabeld",
                "provisioning.aplication-role",
                "databases.pg1.shard",
                "databases.pg1.replica[0].url",
                "databases.pg1.user",
                "databases.pg1.pasword",
                "databases.pg1.replication.user",
                "placement.weight.pg1",
                "deferred-begins",
                "layout.bits",
                "jvm-node",
                "change-jvm-nodes-to",
                "flyway.placeholder.x",
                "moves.catchup",
                "repositories.unroutable",
                "restore-from.user",
                "run-plan",
                "move.from",
                "move"
            })
    void aNameThatIsNoPropertyIsRefusedWithoutItsValue(String name) {
        runner.withPropertyValues("sharded-id." + name + "=s3cret")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(ClusterConfigurationException.class.getName() + ": ")
                        .hasStackTraceContaining("sharded-id." + name)
                        .satisfies(failure -> assertThat(stackTraceOf(failure)).doesNotContain("s3cret")));
    }

    private static String stackTraceOf(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    @Test
    void aNameBelowAPropertyIsRefused() {
        runner.withPropertyValues("sharded-id.shards.more=x").run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining(ClusterConfigurationException.class.getName() + ": ")
                .hasStackTraceContaining("sharded-id.shards.more"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sharded-id.hikari.data-source-properties.x",
                "sharded-id.databases.pg1.hikari.what.ever",
                "sharded-id.flyway.placeholders.any.name",
                "sharded_id.map.POLL",
                "sharded-id.test.only"
            })
    void otherNamesAreNot(String name) {
        runner.withPropertyValues(name + "=true", "sharded-id.hikari.connection-timeout=250")
                .run(context -> {
                    if (context.getStartupFailure() != null) {
                        assertThat(context.getStartupFailure().toString())
                                .doesNotContain("no properties of sharded-id");
                    }
                });
    }

    /** All that the metadata lists, and what it does not: properties of databases. */
    static Stream<Arguments> wrong() throws IOException {
        Map<String, String> types = new TreeMap<>(Map.of(
                "sharded-id.databases.pg1.replication.port", "java.lang.Integer",
                "sharded-id.databases.pg1.replication.host", "java.lang.String"));
        new ConfigurationReference().properties().forEach((name, property) -> {
            types.put(name, property.get("type").asString());
        });
        return types.entrySet().stream()
                .filter(each -> !each.getValue().startsWith("java.util."))
                .flatMap(each -> values(each.getValue()).map(value -> Arguments.of(each.getKey(), value)));
    }

    private static Stream<String> values(String type) {
        return switch (type) {
            case "java.lang.Integer", "java.time.Duration" -> Stream.of("", "many", "-9", "99999999999999999999");
            case "java.lang.String" -> Stream.of("");
            default -> Stream.of("", "perhaps");
        };
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void everyPropertyIsRefusedBeforeAnyBeanIsMade(String property, String value) {
        runner.withPropertyValues(property + "=" + value).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining(ClusterConfigurationException.class.getName() + ": ")
                .hasStackTraceContaining(property.replaceFirst("(layout|all-shards|moves)\\..*", "$1")));
    }

    @Test
    void aReplicaWithoutTheOneBeforeItIsNamed() {
        runner.withPropertyValues("sharded-id.databases.pg1.replicas[1].url=jdbc:postgresql://localhost:1/app")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(ClusterConfigurationException.class.getName())
                        .hasStackTraceContaining("replicas[1]")
                        .hasStackTraceContaining("from 0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sharded-id.moves.catch-up-timeout",
                "sharded-id.moves.catchUpTimeout",
                "sharded-id.moves.catch_up_timeout",
                "shardedId.moves.catchUpTimeout"
            })
    void namesAreRelaxed(String name) {
        MockEnvironment environment = new MockEnvironment().withProperty(name, "90s");

        assertThat(bound(environment).moves().catchUpTimeout()).isEqualTo(Duration.ofSeconds(90));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHARDEDID_MOVES_CATCHUPTIMEOUT", "SHARDED_ID_MOVES_CATCH_UP_TIMEOUT"})
    void variablesAreRead(String name) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, "2m")));

        assertThat(bound(environment).moves().catchUpTimeout()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aDurationWithoutAUnitIsInMilliseconds() {
        MockEnvironment environment = new MockEnvironment().withProperty("sharded-id.moves.lock-timeout", "250");

        assertThat(bound(environment).moves().lockTimeout()).isEqualTo(Duration.ofMillis(250));
    }

    private static ShardedIdProperties bound(Environment environment) {
        return Binder.get(environment)
                .bind("sharded-id", ShardedIdProperties.class)
                .get();
    }
}
