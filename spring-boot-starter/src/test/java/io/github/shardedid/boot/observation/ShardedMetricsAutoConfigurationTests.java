package io.github.shardedid.boot.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.boot.autoconfigure.FixedMap;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.metrics.DataSourcePoolMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Without any database. */
class ShardedMetricsAutoConfigurationTests {
    private final ApplicationContextRunner unconfigured = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ShardedIdAutoConfiguration.class,
                    ShardedJpaAutoConfiguration.class,
                    ShardedObservationAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourcePoolMetricsAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class));
    private final ApplicationContextRunner unmeasured = unconfigured
            .withUserConfiguration(FixedMap.class)
            .withPropertyValues(
                    "sharded-id.epoch=2024-01-01T00:00:00Z",
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.hikari.connection-timeout=250",
                    "sharded-id.provisioning.check-sequences=false",
                    "sharded-id.global.database=pg1");
    private final ApplicationContextRunner runner = measured(unmeasured);

    private static ApplicationContextRunner measured(ApplicationContextRunner runner) {
        return runner.withConfiguration(AutoConfigurations.of(
                MetricsAutoConfiguration.class,
                CompositeMeterRegistryAutoConfiguration.class,
                SimpleMetricsExportAutoConfiguration.class));
    }

    private static MeterRegistry registry(ApplicationContext context) {
        return context.getBean(MeterRegistry.class);
    }

    private static double counted(ApplicationContext context, String name) {
        return registry(context)
                .get("sharded.id.lease." + name)
                .functionCounter()
                .count();
    }

    private static LeaseListener listener(ApplicationContext context) {
        return context.getBean(JvmIdOptions.class).listener();
    }

    @Test
    void backsOffWithoutDatabases() {
        measured(unconfigured)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:postgresql://localhost:1/app",
                        "spring.datasource.hikari.initialization-fail-timeout=-1",
                        "spring.datasource.hikari.minimum-idle=0",
                        "spring.datasource.hikari.connection-timeout=250",
                        "spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false",
                        "spring.jpa.database=postgresql")
                .run(context ->
                        assertThat(context).hasSingleBean(MeterRegistry.class).doesNotHaveBean(ClusterMeters.class));
    }

    @Test
    void countsWhatBecomesOfReplicas() {
        runner.withPropertyValues(
                        "sharded-id.databases.pg2.replicas[0].url=jdbc:postgresql://localhost:1/first",
                        "sharded-id.databases.pg2.replicas[1].url=jdbc:postgresql://localhost:1/second")
                .run(context -> {
                    RoutingListener listener =
                            context.getBean(RoutingOptions.class).listener();
                    listener.replicaChanged("pg2", 1, true);

                    MeterRegistry registry = registry(context);
                    // Nobody answers at these URLs, as the start has found.
                    assertThat(up(registry, "0")).isZero();
                    assertThat(up(registry, "1")).isEqualTo(1);
                });
    }

    private static double up(MeterRegistry registry, String replica) {
        return registry.get("sharded.id.replica.up")
                .tags("database", "pg2", "replica", replica)
                .gauge()
                .value();
    }

    @Test
    void backsOffWithoutARegistry() {
        unmeasured.run(
                context -> assertThat(context).hasSingleBean(JvmIdOptions.class).doesNotHaveBean(ClusterMeters.class));
    }

    @Test
    void backsOffWithoutMicrometer() {
        unmeasured
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context ->
                        assertThat(context).hasSingleBean(JvmIdOptions.class).doesNotHaveBean(ClusterMeters.class));
    }

    @Test
    void tellsTheTimeThatIsLeftOfTheEpoch() {
        IdLayout layout = IdLayout.DEFAULT.withEpoch(Instant.parse("2024-01-01T00:00:00Z"));
        MockClock clock = new MockClock();
        clock.add(Duration.ofMillis(layout.lastInstant().toEpochMilli() - clock.wallTime()));
        clock.add(Duration.ofDays(-10));
        runner.withBean(MeterRegistry.class, () -> new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock))
                .run(context -> {
                    var gauge = registry(context).get("sharded.id.epoch.left").timeGauge();
                    assertThat(context.getBean(Cluster.class).layout()).isEqualTo(layout);
                    assertThat(gauge.value(TimeUnit.DAYS)).isEqualTo(10);
                    assertThat(gauge.value(TimeUnit.SECONDS)).isEqualTo(864_000);
                    clock.add(Duration.ofDays(11));
                    assertThat(gauge.value(TimeUnit.DAYS)).isEqualTo(-1);
                });
    }

    @Test
    void countsWhatBecomesOfLeases() {
        runner.run(context -> {
            LeaseListener told = listener(context);
            told.granted(1, 3);
            told.granted(2, 3);
            told.lost(1, 3);
            told.released(2, 3);
            told.fallback(1, FallbackReason.NO_NODE_FREE);
            told.fallback(2, FallbackReason.NO_NODE_FREE);
            told.fallback(2, FallbackReason.DATABASE_UNREACHABLE);

            assertThat(counted(context, "lost")).isEqualTo(1);
            assertThat(fallbacks(context, FallbackReason.NO_NODE_FREE)).isEqualTo(2);
            assertThat(fallbacks(context, FallbackReason.DATABASE_UNREACHABLE)).isEqualTo(1);
            assertThat(fallbacks(context, FallbackReason.CLOSED)).isZero();
        });
    }

    private static double fallbacks(ApplicationContext context, FallbackReason reason) {
        return registry(context)
                .get("sharded.id.lease.fallbacks")
                .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                .functionCounter()
                .count();
    }

    @Test
    void tellsTheListenersOfTheApplicationToo() {
        AtomicInteger own = new AtomicInteger();
        LeaseListener counting = new LeaseListener() {
            @Override
            public void lost(int shard, int node) {
                own.incrementAndGet();
            }
        };
        runner.withBean("own", LeaseListener.class, () -> counting).run(context -> {
            listener(context).lost(5, 7);
            assertThat(own).hasValue(1);
            assertThat(counted(context, "lost")).isEqualTo(1);
        });
    }

    @Test
    void measuresTheMapAndRefusedQueries() {
        runner.run(context -> {
            RoutingListener listener = context.getBean(ClusterMeters.class);
            listener.queueWaited(1_000, true);
            listener.queueWaited(1_000, false);

            MeterRegistry registry = registry(context);
            assertThat(registry.get("sharded.id.all.shards.refusals")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("sharded.id.map.unowned").gauge().value()).isZero();
            assertThat(registry.get("sharded.id.map.age").timeGauge().value(TimeUnit.SECONDS))
                    .isPositive();
        });
    }

    @Test
    void thePageExplainsEveryReason() throws Exception {
        String page = Files.readString(Path.of("../docs/monitoring.md"));
        for (FallbackReason reason : FallbackReason.values()) {
            assertThat(page).contains("`" + reason.name().toLowerCase(Locale.ROOT) + "`");
        }
    }

    @Test
    void watchesThePoolOfEachDatabase() {
        runner.run(context -> {
            for (String name : new String[] {"pg1", "pg2"}) {
                assertThat(registry(context)
                                .get("hikaricp.connections.max")
                                .tag("pool", name)
                                .gauge()
                                .value())
                        .isEqualTo(10);
            }
        });
    }

    @Test
    void leavesPoolsAloneThatAreWatchedAlready() {
        SimpleMeterRegistry own = new SimpleMeterRegistry();
        HikariDataSource pool = new HikariDataSource();
        pool.setMetricRegistry(own);
        runner.withBean("own", ShardedDatabases.class, () -> new ShardedDatabases(Map.of("pg1", pool, "pg2", pool)))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(pool.getMetricRegistry()).isSameAs(own);
                });
    }

    @Test
    void canBeSwitchedOff() {
        runner.withPropertyValues("management.metrics.enable.sharded.id=false")
                .run(context -> assertThat(registry(context).getMeters())
                        .noneMatch(meter -> meter.getId().getName().startsWith("sharded.id.")));
    }
}
