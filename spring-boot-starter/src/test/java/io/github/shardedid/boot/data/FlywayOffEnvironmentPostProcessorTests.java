package io.github.shardedid.boot.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.data.ShardedFlywayAutoConfiguration.FlywayOffEnvironmentPostProcessor;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

class FlywayOffEnvironmentPostProcessorTests {
    @Test
    void keepsBootsFlywayOffUnlessItHasADatabaseOfItsOwn() {
        MockEnvironment environment =
                new MockEnvironment().withProperty("sharded-id.databases.pg1.url", "jdbc:postgresql:app");
        new FlywayOffEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());
        assertThat(environment.getProperty("spring.flyway.enabled")).isEqualTo("false");
        assertThat(environment.getProperty("logging.level.org.flywaydb")).isEqualTo("warn");

        MockEnvironment own = new MockEnvironment()
                .withProperty("sharded-id.databases.pg1.url", "jdbc:postgresql:app")
                .withProperty("spring.flyway.url", "jdbc:postgresql:global");
        new FlywayOffEnvironmentPostProcessor().postProcessEnvironment(own, new SpringApplication());
        assertThat(own.getProperty("spring.flyway.enabled")).isNull();

        MockEnvironment unsharded = new MockEnvironment();
        new FlywayOffEnvironmentPostProcessor().postProcessEnvironment(unsharded, new SpringApplication());
        assertThat(unsharded.getProperty("spring.flyway.enabled")).isNull();
    }
}
