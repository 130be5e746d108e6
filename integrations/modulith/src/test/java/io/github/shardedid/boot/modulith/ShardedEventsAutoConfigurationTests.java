package io.github.shardedid.boot.modulith;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;

/** What is refused at start, and defaults. With the releases of Spring Modulith, its registry is tested in library-tests. */
class ShardedEventsAutoConfigurationTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedEventsAutoConfiguration.class))
            .withPropertyValues("sharded-id.databases.pg1.url=jdbc:postgresql:app");

    private static ApplicationContextRunner with(ApplicationContextRunner runner, String repository) {
        return runner.withInitializer(context -> ((BeanDefinitionRegistry) context.getBeanFactory())
                .registerBeanDefinition(repository, new RootBeanDefinition(Object.class)));
    }

    @Test
    void theRegistryOfJpaIsRefused() {
        with(runner, "jpaEventPublicationRepository").run(context -> assertThat(context.getStartupFailure())
                .isInstanceOf(ClusterConfigurationException.class)
                .hasMessageContaining("spring-modulith-starter-jdbc"));
    }

    @Test
    void anotherSchemaThanThatOfTheShardIsRefused() {
        with(runner, "jdbcEventPublicationRepository")
                .withPropertyValues("spring.modulith.events.jdbc.schema=events")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ClusterConfigurationException.class)
                        .hasMessageContaining("schema is events", "to sharded_id_shard"));
    }

    @Test
    void theSchemaOfTheShardIsTheDefaultOfShardedApplications() {
        MockEnvironment sharded =
                new MockEnvironment().withProperty("sharded-id.databases.pg1.url", "jdbc:postgresql:app");
        new EventTablesEnvironmentPostProcessor().postProcessEnvironment(sharded, new SpringApplication());
        assertThat(Objects.requireNonNull(sharded.getProperty("spring.modulith.events.jdbc.schema")))
                .isEqualTo("sharded_id_shard");
        assertThat(sharded.getProperty("spring.modulith.events.jdbc.schema-initialization.enabled"))
                .isEqualTo("false");

        MockEnvironment unsharded = new MockEnvironment();
        new EventTablesEnvironmentPostProcessor().postProcessEnvironment(unsharded, new SpringApplication());
        assertThat(unsharded.getProperty("spring.modulith.events.jdbc.schema")).isNull();
    }
}
