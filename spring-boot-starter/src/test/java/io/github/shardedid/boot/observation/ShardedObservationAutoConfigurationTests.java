package io.github.shardedid.boot.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.autoconfigure.FixedMap;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.data.ShardedContextAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.Target;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Observations, without any database. */
class ShardedObservationAutoConfigurationTests {
    private final ApplicationContextRunner unconfigured = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ShardedIdAutoConfiguration.class,
                    ShardedJpaAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    ShardedContextAutoConfiguration.class,
                    ShardedObservationAutoConfiguration.class));
    private final ApplicationContextRunner unobserved = unconfigured
            .withUserConfiguration(FixedMap.class)
            .withPropertyValues(
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.hikari.connection-timeout=250",
                    "sharded-id.provisioning.check-sequences=false",
                    "sharded-id.global.database=pg1");
    private final ApplicationContextRunner runner =
            unobserved.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class));

    @Test
    void backsOffWithoutAnObservationRegistry() {
        unobserved.run(context ->
                assertThat(context).doesNotHaveBean(ShardedObservations.class).doesNotHaveBean(RoutingListener.class));
    }

    @Test
    void backsOffWithoutMicrometersObservations() {
        unobserved
                .withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RoutingListener.class));
    }

    @Test
    void backsOffWithoutDatabases() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ShardedIdAutoConfiguration.class,
                        ShardedContextAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        ShardedObservationAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .hasSingleBean(ObservationRegistry.class)
                        .doesNotHaveBean(ShardedObservations.class));
    }

    @Test
    void backsOffToObservationsOfTheApplication() {
        TestObservationRegistry own = TestObservationRegistry.create();
        runner.withBean(ShardedObservations.class, () -> new ShardedObservations(own))
                .run(context -> {
                    statement(context.getBean("shardedIdRoutingObservations", RoutingListener.class));
                    TestObservationRegistryAssert.assertThat(own).hasNumberOfObservationsEqualTo(1);
                });
    }

    private static void statement(RoutingListener listener) {
        listener.statement(RoutingListener.Kind.READ, Target.shard(3), "pg1").close();
    }

    @Test
    void observesNothingForARegistryThatHasNoHandler() {
        runner.run(context -> {
            RoutingListener listener = context.getBean(RoutingListener.class);
            assertThat(listener.statement(RoutingListener.Kind.READ, Target.shard(3), "pg1"))
                    .isSameAs(RoutingListener.Watch.NONE);
            assertThat(listener.allShards(8, Set.of("pg1"))).isSameAs(RoutingListener.Watch.NONE);
            assertThat(listener.waiting(3, "pg1")).isSameAs(RoutingListener.Watch.NONE);
        });
    }

    @Test
    void canBeSwitchedOffAsBootsOwnObservations() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        runner.withBean(ObservationRegistry.class, () -> registry)
                .withPropertyValues("management.observations.enable.sharded.id.statement=false")
                .run(context -> {
                    RoutingListener listener = context.getBean(RoutingListener.class);
                    statement(listener);
                    listener.waiting(3, "pg1").close();
                    TestObservationRegistryAssert.assertThat(registry)
                            .hasNumberOfObservationsEqualTo(1)
                            .hasObservationWithNameEqualTo("sharded.id.fence.wait");
                });
    }
}
