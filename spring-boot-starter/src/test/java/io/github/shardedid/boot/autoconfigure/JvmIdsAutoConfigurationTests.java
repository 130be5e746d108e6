package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.hibernate.ShardingSettings;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;

/** What reaches Hibernate of the properties and beans for ids that are made in this JVM. */
class JvmIdsAutoConfigurationTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(FixedMap.class)
            .withConfiguration(AutoConfigurations.of(
                    ShardedIdAutoConfiguration.class,
                    ShardedJpaAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.provisioning.check-sequences=false",
                    "sharded-id.hikari.connection-timeout=250",
                    "sharded-id.global.database=pg1");

    private static JvmIdOptions options(ApplicationContext context) {
        return (JvmIdOptions) requireNonNull(
                context.getBean(EntityManagerFactory.class).getProperties().get(ShardingSettings.JVM_ID_OPTIONS));
    }

    /** Tells each event to the listeners of a context. */
    private static void tellAll(LeaseListener listener) {
        listener.granted(5, 7);
        listener.renewed(5, 7);
        listener.lost(5, 7);
        listener.released(5, 7);
        listener.fallback(5, FallbackReason.NO_NODE_FREE);
    }

    @Test
    void leasesAreTheCoresUnlessConfiguredOtherwise() {
        runner.run(context -> {
            assertThat(options(context).lease()).isEqualTo(JvmIdOptions.DEFAULT.lease());
            assertThat(options(context).ahead()).isEqualTo(JvmIdOptions.DEFAULT.ahead());
        });
        runner.withPropertyValues("sharded-id.jvm-ids.lease=90s", "sharded-id.jvm-ids.ahead=0")
                .run(context -> {
                    assertThat(options(context).lease()).isEqualTo(Duration.ofSeconds(90));
                    assertThat(options(context).ahead()).isZero();
                });
    }

    @Test
    void aDurationThatCannotBeIsRefusedByTheNameOfItsProperty() {
        fails("sharded-id.jvm-ids.lease=6m", "sharded-id.jvm-ids.lease cannot be PT6M", "PT0.01S to PT5M");
        fails("sharded-id.jvm-ids.lease=9ms", "sharded-id.jvm-ids.lease cannot be PT0.009S", "PT0.01S to PT5M");
        fails("sharded-id.jvm-ids.ahead=-1ms", "sharded-id.jvm-ids.ahead cannot be PT-0.001S", "0 or more");
    }

    private void fails(String property, String... words) {
        runner.withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Analyses.of(requireNonNull(context.getStartupFailure()));
            assertThat(analysis.getDescription()).contains(words);
        });
    }

    @Test
    void everyListenerOfTheApplicationIsToldOfEveryEventInOrder() {
        List<String> told = new ArrayList<>();
        runner.withBean("second", LeaseListener.class, () -> new Second(told))
                .withBean("first", LeaseListener.class, () -> new First(told))
                .run(context -> {
                    tellAll(options(context).listener());
                    assertThat(told)
                            .containsExactly(
                                    "first granted 5 7",
                                    "second granted 5 7",
                                    "first renewed 5 7",
                                    "second renewed 5 7",
                                    "first lost 5 7",
                                    "second lost 5 7",
                                    "first released 5 7",
                                    "second released 5 7",
                                    "first fallback 5 NO_NODE_FREE",
                                    "second fallback 5 NO_NODE_FREE");
                });
    }

    @Test
    void backsOffWithOptionsOfTheApplication() {
        JvmIdOptions own = JvmIdOptions.DEFAULT.withLease(Duration.ofSeconds(7));
        runner.withBean("own", JvmIdOptions.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(JvmIdOptions.class);
            assertThat(options(context)).isSameAs(own);
        });
    }

    @Order(1)
    private static final class First extends Teller {
        First(List<String> told) {
            super("first", told);
        }
    }

    @Order(2)
    private static final class Second extends Teller {
        Second(List<String> told) {
            super("second", told);
        }
    }

    private abstract static class Teller implements LeaseListener {
        private final String name;
        private final List<String> told;

        Teller(String name, List<String> told) {
            this.name = name;
            this.told = told;
        }

        @Override
        public void granted(int shard, int node) {
            told.add(name + " granted " + shard + " " + node);
        }

        @Override
        public void renewed(int shard, int node) {
            told.add(name + " renewed " + shard + " " + node);
        }

        @Override
        public void lost(int shard, int node) {
            told.add(name + " lost " + shard + " " + node);
        }

        @Override
        public void released(int shard, int node) {
            told.add(name + " released " + shard + " " + node);
        }

        @Override
        public void fallback(int shard, FallbackReason reason) {
            told.add(name + " fallback " + shard + " " + reason);
        }
    }
}
