package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.actuate.ShardedActuatorAutoConfiguration;
import io.github.shardedid.boot.app.PhotoRepository;
import io.github.shardedid.boot.app.PhotoSharing;
import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaTransactionManager;
import io.github.shardedid.boot.plain.PlainApp;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardPlacement;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.hibernate.cfg.MappingSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** Without any database: what no database has to be asked for. */
class ShardedIdAutoConfigurationTests {
    private final ApplicationContextRunner unconfigured = new ApplicationContextRunner()
            .withUserConfiguration(Packages.class)
            .withConfiguration(AutoConfigurations.of(
                    ShardedIdAutoConfiguration.class,
                    ShardedJpaAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    DataJpaRepositoriesAutoConfiguration.class));
    private final ApplicationContextRunner byDefault = unconfigured.withPropertyValues(
            "sharded-id.shards=8",
            "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
            "sharded-id.databases.pg1.password=s3cret",
            "sharded-id.databases.pg1.shards=0-7",
            "sharded-id.provisioning.check-sequences=false",
            "sharded-id.global.database=pg1");

    /** What asks the database nevertheless learns soon that it is not there. */
    private final ApplicationContextRunner configured =
            byDefault.withPropertyValues("sharded-id.hikari.connection-timeout=250");

    private final ApplicationContextRunner runner = configured.withUserConfiguration(FixedMap.class);

    private static HikariDataSource pool(ApplicationContext context) {
        return (HikariDataSource)
                requireNonNull(context.getBean(ShardedDatabases.class).byName().get("pg1"));
    }

    private static void failsWith(ApplicationContextRunner runner, String... words) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Analyses.of(requireNonNull(context.getStartupFailure()));
            assertThat(analysis.getDescription() + " | " + analysis.getAction())
                    .contains(words)
                    .doesNotContain("s3cret");
            assertThat(analysis.getAction()).isNotEmpty();
        });
    }

    @Test
    void backsOffWithoutDatabases() {
        unconfigured
                .withPropertyValues(
                        "spring.datasource.url=jdbc:postgresql://localhost:1/app",
                        "spring.datasource.hikari.initialization-fail-timeout=-1",
                        "spring.datasource.hikari.minimum-idle=0",
                        "spring.datasource.hikari.connection-timeout=250",
                        "spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false",
                        "spring.jpa.database=postgresql")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(ShardedIdProperties.class)
                        .doesNotHaveBean(RoutingDataSource.class)
                        .doesNotHaveBean(ShardedJpaTransactionManager.class));
    }

    @Test
    void routesInsteadOfBootsDataSourceWhenDatabasesAreConfigured() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(DataSource.class).hasSingleBean(EntityManagerFactory.class);
            assertThat(context.getBean(DataSource.class)).isInstanceOf(RoutingDataSource.class);
            assertThat(context.getBean("dataSource")).isInstanceOf(RoutingDataSource.class);
            assertThat(context.getBean(PlatformTransactionManager.class))
                    .isInstanceOf(ShardedJpaTransactionManager.class);
            assertThat(context.getBean(Cluster.class).layout().epoch()).isEqualTo(IdLayout.PUBLISHED_EPOCH);
            assertThat(context).hasSingleBean(PhotoRepository.class);
        });
    }

    @Test
    void makesAPoolThatDoesNotConnectYetForEachDatabase() {
        byDefault.withUserConfiguration(FixedMap.class).run(context -> {
            HikariDataSource pool = pool(context);
            assertThat(pool.getPoolName()).isEqualTo("pg1");
            assertThat(pool.isAutoCommit()).isTrue();
            assertThat(pool.getInitializationFailTimeout()).isEqualTo(-1);
            assertThat(pool.getMinimumIdle()).isZero();
            assertThat(pool.getConnectionTimeout()).isEqualTo(5_000);
            assertThat(pool.getDataSourceProperties())
                    .containsEntry("currentSchema", "no_shard_selected")
                    .containsEntry("preparedStatementCacheQueries", "4096")
                    .containsEntry("tcpKeepAlive", "true");
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isZero();
        });
    }

    @Test
    void makesASmallPoolForReadsBesideWrites() {
        runner.withPropertyValues("sharded-id.hikari.minimum-idle=5", "sharded-id.hikari.maximum-pool-size=7")
                .run(context -> {
                    HikariDataSource pool = readPool(context);
                    assertThat(pool.getPoolName()).isEqualTo("pg1-reads");
                    assertThat(pool.getMaximumPoolSize()).isEqualTo(2);
                    assertThat(pool.getMinimumIdle()).isZero();
                    assertThat(pool.getDataSourceProperties()).containsEntry("currentSchema", "no_shard_selected");
                });
        runner.withPropertyValues("sharded-id.read-pool-size=3")
                .run(context ->
                        assertThat(readPool(context).getMaximumPoolSize()).isEqualTo(3));
    }

    private static HikariDataSource readPool(ApplicationContext context) {
        return (HikariDataSource) requireNonNull(
                context.getBean(ShardedDatabases.class).readPools().get("pg1"));
    }

    @Test
    void makesNoPoolForReadsWhereNoneIsUsed() {
        for (String property : List.of("sharded-id.read-pool-size=0", "sharded-id.deferred-begin=false")) {
            runner.withPropertyValues(property).run(context -> assertThat(
                            context.getBean(ShardedDatabases.class).readPools())
                    .isEmpty());
        }
        failsWith(runner.withPropertyValues("sharded-id.read-pool-size=-1"), "sharded-id.read-pool-size", "-1");
    }

    @Test
    void closesThePoolsWhenTheContextCloses() {
        runner.run(context -> {
            HikariDataSource pool = pool(context);
            HikariDataSource readPool = readPool(context);
            context.close();
            assertThat(pool.isClosed()).isTrue();
            assertThat(readPool.isClosed()).isTrue();
        });
    }

    @Test
    void settingsOfADatabasesPoolCountMoreThanThoseOfAll() {
        runner.withPropertyValues(
                        "sharded-id.hikari.maximum-pool-size=7",
                        "sharded-id.hikari.connection-timeout=2000",
                        "sharded-id.databases.pg1.hikari.maximumPoolSize=3",
                        "sharded-id.databases.pg1.hikari.data-source-properties.socketTimeout=30")
                .run(context -> {
                    HikariDataSource pool = pool(context);
                    assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
                    assertThat(pool.getConnectionTimeout()).isEqualTo(2_000);
                    assertThat(pool.getDataSourceProperties())
                            .containsEntry("socketTimeout", "30")
                            .containsEntry("currentSchema", "no_shard_selected");
                });
    }

    @Test
    void readsTheLayout() {
        runner.withPropertyValues(
                        "sharded-id.epoch=2024-01-01T00:00:00Z",
                        "sharded-id.jvm-nodes=0",
                        "sharded-id.layout.unit=seconds",
                        "sharded-id.layout.timestamp-bits=43",
                        "sharded-id.layout.shard-bits=11")
                .run(context -> assertThat(context.getBean(Cluster.class).layout())
                        .isEqualTo(new IdLayout(
                                Instant.parse("2024-01-01T00:00:00Z"), TimestampUnit.SECONDS, 43, 11, 10, 0)));
    }

    @Test
    void readsRangesAsTextAndAsList() {
        ApplicationContextRunner bare = unconfigured
                .withUserConfiguration(FixedMap.class)
                .withPropertyValues(
                        "sharded-id.shards=8",
                        "sharded-id.databases.pg1.url=jdbc:postgresql:app",
                        "sharded-id.hikari.connection-timeout=250",
                        "sharded-id.global.database=pg1");
        bare.withPropertyValues("sharded-id.databases.pg1.shards=0-3, 5").run(context -> assertThat(
                        context.getBean(ClusterDefinition.class).initialShards())
                .hasToString("{pg1=0-3, 5}"));
        bare.withPropertyValues("sharded-id.databases.pg1.shards[0]=0-3", "sharded-id.databases.pg1.shards[1]=5")
                .run(context -> assertThat(
                                context.getBean(ClusterDefinition.class).initialShards())
                        .hasToString("{pg1=0-3, 5}"));
    }

    @Test
    void showsNoSecretsInItsText() {
        runner.run(context -> assertThat(context.getBean(ShardedIdProperties.class)
                        + context.getBean(ShardedIdProperties.class).databases().toString())
                .contains("pg1")
                .doesNotContain("s3cret", "localhost"));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void tellsAPersonWhatIsWrongAndWhatToDo(CapturedOutput output) {
        assertThatExceptionOfType(BeansException.class)
                .isThrownBy(() -> new SpringApplicationBuilder(PhotoSharing.class)
                        .web(WebApplicationType.NONE)
                        .run("--sharded-id.databases.pg1.url=jdbc:postgresql:app")
                        .close())
                .withRootCauseInstanceOf(ClusterConfigurationException.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("sharded-id.shards is not set")
                .contains("Correct the property");
    }

    @Test
    void failsWhenTheNumberOfShardsIsMissingOrTooLarge() {
        failsWith(
                unconfigured.withPropertyValues("sharded-id.databases.pg1.url=jdbc:postgresql:app"),
                "sharded-id.shards is not set");
        failsWith(configured.withPropertyValues("sharded-id.shards=9000"), "sharded-id.shards", "8192");
    }

    @Test
    void failsWhenTheTimeOfTheLayoutIsOverOrHasNotBegun() {
        failsWith(
                runner.withPropertyValues("sharded-id.epoch=1980-01-01T00:00:00Z"),
                "ended at 2014-11-03T19:53:47.775Z",
                "41·13·10 bits in milliseconds since 1980-01-01T00:00:00Z",
                "a later epoch");
        failsWith(
                runner.withPropertyValues("sharded-id.epoch=2999-01-01T00:00:00Z"),
                "The epoch 2999-01-01T00:00:00Z is",
                "Set sharded-id.epoch to an instant in the past");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void warnsWhenTheTimeOfTheLayoutRunsOut(CapturedOutput output) {
        String lasting = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        String ending = Instant.now()
                .truncatedTo(ChronoUnit.SECONDS)
                .minus(190, ChronoUnit.DAYS)
                .toString();
        ApplicationContextRunner ints = runner.withPropertyValues(
                "sharded-id.jvm-nodes=0",
                "sharded-id.layout.unit=seconds",
                "sharded-id.layout.timestamp-bits=25",
                "sharded-id.layout.shard-bits=3",
                "sharded-id.layout.sequence-bits=4");

        ints.withPropertyValues("sharded-id.epoch=" + lasting)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("time of this cluster's ids ends");
        ints.withPropertyValues("sharded-id.epoch=" + ending)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("time of this cluster's ids ends at", "in 4 days");
    }

    @Test
    void failsWhenTheUrlIsMissingOrOfAnotherDatabase() {
        failsWith(configured.withPropertyValues("sharded-id.databases.pg1.url="), "sharded-id.databases.pg1.url");
        failsWith(
                configured.withPropertyValues("sharded-id.databases.pg1.url=jdbc:mysql://user:s3cret@x/app"),
                "sharded-id.databases.pg1.url",
                "PostgreSQL");
    }

    @Test
    void failsWhenARangeCannotBeRead() {
        failsWith(
                configured.withPropertyValues("sharded-id.databases.pg1.shards=0..7"),
                "sharded-id.databases.pg1.shards",
                "0..7");
    }

    @Test
    void failsWhenTheLayoutCannotBe() {
        failsWith(configured.withPropertyValues("sharded-id.layout.shard-bits=14"), "sharded-id.layout", "64");
        failsWith(configured.withPropertyValues("sharded-id.jvm-nodes=3"), "jvm-nodes");
    }

    @Test
    void failsWhenASettingOfThePoolIsUnknown() {
        failsWith(configured.withPropertyValues("sharded-id.hikari.maximum-poolsize-typo=3"), "sharded-id.hikari");
    }

    @Test
    void failsWhenHibernateIsToMakeTheTables() {
        failsWith(runner.withPropertyValues("spring.jpa.hibernate.ddl-auto=update"), "spring.jpa.hibernate.ddl-auto");
        failsWith(
                runner.withPropertyValues("spring.jpa.properties.hibernate.hbm2ddl.auto=create"),
                "hibernate.hbm2ddl.auto");
    }

    @Test
    void keepsTablesFromHibernateWhenGenerateDdlIsOn() {
        runner.withPropertyValues("spring.jpa.generate-ddl=true").run(context -> assertThat(
                        context.getBean(EntityManagerFactory.class).getProperties())
                .containsEntry("hibernate.hbm2ddl.auto", "none"));
    }

    @Test
    void makesAPoolForEachReplicaLikeThatOfItsDatabase() {
        ApplicationContextRunner replicated = runner.withPropertyValues(
                "sharded-id.databases.pg1.username=app",
                "sharded-id.databases.pg1.hikari.maximum-pool-size=7",
                "sharded-id.databases.pg1.replicas[0].url=jdbc:postgresql://localhost:1/first",
                "sharded-id.databases.pg1.replicas[1].url=jdbc:postgresql://localhost:1/second",
                "sharded-id.databases.pg1.replicas[1].username=reader",
                "sharded-id.databases.pg1.replicas[1].hikari.maximum-pool-size=3");
        replicated.run(context -> {
            List<DataSource> replicas = requireNonNull(
                    context.getBean(RoutingOptions.class).replicas().get("pg1"));
            HikariDataSource first = (HikariDataSource) replicas.get(0);
            HikariDataSource second = (HikariDataSource) replicas.get(1);
            assertThat(first.getPoolName()).isEqualTo("pg1-replica-0");
            assertThat(first.getJdbcUrl()).endsWith("/first");
            assertThat(first.getUsername()).isEqualTo("app");
            assertThat(first.getPassword()).isEqualTo("s3cret");
            assertThat(first.getMaximumPoolSize()).isEqualTo(7);
            assertThat(second.getUsername()).isEqualTo("reader");
            assertThat(second.getMaximumPoolSize()).isEqualTo(3);
            context.close();
            assertThat(first.isClosed()).isTrue();
        });
        failsWith(
                runner.withPropertyValues("sharded-id.databases.pg1.replicas[0].username=reader"),
                "sharded-id.databases.pg1.replicas[0].url is not set");
    }

    @Test
    void aPlacementOfTheApplicationChoosesTheShardsOfNewRows() {
        ShardMap two =
                new ShardMap(2, List.of(new ShardOwnership(0, "pg1", 1), new ShardOwnership(1, "pg2", 1)), Map.of());
        runner.run(context -> assertThat(shards(context, two)).containsOnly(0, 1));
        runner.withUserConfiguration(Emptied.class)
                .run(context -> assertThat(shards(context, two)).containsOnly(1));
    }

    private static Set<Integer> shards(ApplicationContext context, ShardMap map) {
        ShardPlacement placement = context.getBean(ShardPlacement.class);
        return IntStream.range(0, 100)
                .mapToObj(i -> placement.shardFor("a user", map))
                .collect(Collectors.toSet());
    }

    @Configuration
    static class Emptied {
        @Bean
        ShardPlacement withoutPg1() {
            return (entity, map) -> {
                int[] others = map.shardsOf("pg2");
                return others[ThreadLocalRandom.current().nextInt(others.length)];
            };
        }
    }

    @Test
    void routesWhenSomebodyWrapsTheDataSource() {
        runner.withUserConfiguration(Wrapping.class).run(context -> {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(DelegatingDataSource.class);
            assertThat(context.getBean(EntityManagerFactory.class).getProperties())
                    .containsEntry(MappingSettings.DEFAULT_SCHEMA, RoutingDataSource.SCHEMA_PLACEHOLDER);
        });
    }

    @Test
    void tellsTheHealthOfEachDatabase() {
        runner.withConfiguration(AutoConfigurations.of(
                        ShardedActuatorAutoConfiguration.class, DataSourceHealthContributorAutoConfiguration.class))
                .run(context -> {
                    CompositeHealthContributor health =
                            context.getBean("dbHealthContributor", CompositeHealthContributor.class);
                    assertThat(health.stream().map(HealthContributors.Entry::name))
                            .containsExactly("pg1");
                });
    }

    @Test
    void backsOffWithAHealthContributorOfTheApplication() {
        runner.withConfiguration(AutoConfigurations.of(
                        ShardedActuatorAutoConfiguration.class, DataSourceHealthContributorAutoConfiguration.class))
                .withBean(
                        "dbHealthContributor",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .run(context -> assertThat(context).doesNotHaveBean(CompositeHealthContributor.class));
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage(basePackageClasses = PlainApp.class)
    static class Packages {}

    @Configuration(proxyBeanMethods = false)
    static class Wrapping {
        @Bean
        static BeanPostProcessor wrapping() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource source ? new DelegatingDataSource(source) : bean;
                }
            };
        }
    }
}
