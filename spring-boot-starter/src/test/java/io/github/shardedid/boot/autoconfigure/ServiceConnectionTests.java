package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.autoconfigure.ShardedConnectionDetails.Connection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Several containers are several databases; here they are only asked where they would be. */
class ServiceConnectionTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
            .withUserConfiguration(Containers.class);

    static class RunningContainer extends PostgreSQLContainer {
        private final String server;

        RunningContainer(String server) {
            super("postgres:18");
            this.server = server;
        }

        @Override
        public void start() {}

        @Override
        public String getJdbcUrl() {
            return "jdbc:postgresql://" + server + "/test";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Containers {
        @Bean
        @ServiceConnection(name = "pg1")
        RunningContainer first() {
            return new RunningContainer("one");
        }

        @Bean
        @ServiceConnection(name = "pg2")
        RunningContainer second() {
            return new RunningContainer("two");
        }

        @Bean
        @ServiceConnection
        RunningContainer nameless() {
            return new RunningContainer("three");
        }
    }

    private static @Nullable Connection connection(ApplicationContext context, String database) {
        return context.getBeanProvider(ShardedConnectionDetails.class).stream()
                .flatMap(details -> Stream.ofNullable(details.connectionTo(database)))
                .reduce((one, another) -> {
                    throw new AssertionError("two know " + database);
                })
                .orElse(null);
    }

    @Test
    void aContainerIsTheDatabaseThatItsConnectionNames() {
        runner.run(context -> {
            assertThat(connection(context, "pg1"))
                    .isEqualTo(new Connection("jdbc:postgresql://one/test", "test", "test"));
            assertThat(requireNonNull(connection(context, "pg2")).url()).isEqualTo("jdbc:postgresql://two/test");
            assertThat(connection(context, "pg3")).isNull();
        });
    }

    @Test
    void twoBeansForOneDatabaseAreRefused() {
        ShardedConnectionDetails one = database -> new Connection("jdbc:postgresql://four/test", null, null);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
                .withBean("one", ShardedConnectionDetails.class, () -> one)
                .withBean("another", ShardedConnectionDetails.class, () -> one)
                .withPropertyValues("sharded-id.shards=8", "sharded-id.databases.pg1.shards=0-7")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "Two beans of type ShardedConnectionDetails know how to connect to database pg1"));
    }
}
