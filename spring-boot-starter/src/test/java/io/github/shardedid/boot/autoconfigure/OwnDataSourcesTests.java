package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.data.GlobalDataSourceAutoConfiguration;
import io.github.shardedid.boot.data.ShardedContextAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaTransactionManager;
import io.github.shardedid.routing.RoutingDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application's own data sources stand beside the sharded one. No database is asked. */
@Tag("slow")
class OwnDataSourcesTests {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(FixedMap.class)
            .withConfiguration(AutoConfigurations.of(
                    ShardedIdAutoConfiguration.class,
                    ShardedJpaAutoConfiguration.class,
                    ShardedContextAutoConfiguration.class,
                    GlobalDataSourceAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.shards=8",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.databases.pg1.shards=0-7",
                    "sharded-id.provisioning.check-sequences=false",
                    "sharded-id.global.database=pg1");

    private static DataSource reporting() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:postgresql://localhost:1/reports");
        pool.setInitializationFailTimeout(-1);
        pool.setMinimumIdle(0);
        return pool;
    }

    @Configuration(proxyBeanMethods = false)
    static class Beside {
        @Bean
        DataSource reports() {
            return reporting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheUsualName {
        @Bean
        DataSource dataSource() {
            return reporting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AsFallback {
        @Bean
        @Fallback
        DataSource reports() {
            return reporting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NoDefaultCandidate {
        @Bean(defaultCandidate = false)
        DataSource reports() {
            return reporting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfThem {
        @Bean
        DataSource reports() {
            return reporting();
        }

        @Bean
        DataSource archive() {
            return reporting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryReports {
        @Bean
        @Primary
        DataSource reports() {
            return reporting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryWrapper {
        @Bean
        @Primary
        DataSource logged(@Qualifier("shardedDataSource") DataSource sharded) {
            return new DelegatingDataSource(sharded);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {
        @Autowired
        DataSource byType;

        @Autowired
        PlatformTransactionManager transactions;

        Injected(DataSource byType, PlatformTransactionManager transactions) {
            this.byType = byType;
            this.transactions = transactions;
        }
    }

    private static boolean isSharded(DataSource source) {
        try {
            return source.isWrapperFor(RoutingDataSource.class);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void isUsedEverywhere(ApplicationContext context) {
        assertThat(context.getBean(DataSource.class)).matches(OwnDataSourcesTests::isSharded);
        assertThat(requireNonNull(context.getBean(JdbcTemplate.class).getDataSource()))
                .matches(OwnDataSourcesTests::isSharded);
        assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(ShardedJpaTransactionManager.class);
        assertThat(context.getBean(TransactionTemplate.class).getTransactionManager())
                .isInstanceOf(ShardedJpaTransactionManager.class);
        ConnectionProvider connections = context.getBean(EntityManagerFactory.class)
                .unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .requireService(ConnectionProvider.class);
        assertThat(connections.unwrap(DataSource.class)).matches(OwnDataSourcesTests::isSharded);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Beside.class,
                OfTheUsualName.class,
                AsFallback.class,
                NoDefaultCandidate.class,
                TwoOfThem.class,
                PrimaryWrapper.class
            })
    void standBesideTheShardedOne(Class<?> own) {
        runner.withUserConfiguration(own).run(context -> {
            assertThat(context).hasNotFailed();
            isUsedEverywhere(context);
            Map<String, DataSource> all = context.getBeansOfType(DataSource.class);
            assertThat(all)
                    .containsKeys("shardedDataSource", "globalDataSource")
                    .hasSizeGreaterThan(2);
        });
    }

    @Test
    void theUsualNameIsLeftToTheApplication() {
        runner.run(context -> assertThat(context.getBean("dataSource")).isInstanceOf(RoutingDataSource.class));
        runner.withUserConfiguration(OfTheUsualName.class)
                .run(context -> assertThat(context.getBean("dataSource")).isInstanceOf(HikariDataSource.class));
    }

    @Test
    void aPrimaryOneThatIsNotShardedIsNamed() {
        runner.withUserConfiguration(PrimaryReports.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Analyses.of(requireNonNull(context.getStartupFailure()));
            assertThat(analysis.getCause()).isInstanceOf(ClusterConfigurationException.class);
            assertThat(analysis.getDescription())
                    .contains("\"reports\"", "PrimaryReports", "@Primary", "defaultCandidate = false");
        });
    }

    @Test
    void theGlobalOneIsInjectedByNameOnly() {
        runner.withUserConfiguration(Injected.class).run(context -> {
            isUsedEverywhere(context);
            DataSource global = context.getBean("globalDataSource", DataSource.class);
            assertThat(global).isInstanceOfSatisfying(HikariDataSource.class, pool -> {
                assertThat(pool.getPoolName()).isEqualTo("pg1-global");
                assertThat(pool.getDataSourceProperties()).containsEntry("currentSchema", "sharded_global");
            });
            assertThat(context.getBean("globalTransactionManager")).isInstanceOf(JdbcTransactionManager.class);
            assertThat(context.getBean("globalJdbcClient")).isNotSameAs(context.getBean(JdbcClient.class));
            assertThat(context.getBean(Injected.class).byType).matches(OwnDataSourcesTests::isSharded);
            assertThat(context.getBean(Injected.class).transactions).isInstanceOf(ShardedJpaTransactionManager.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGlobal {
        @Bean(defaultCandidate = false)
        DataSource globalDataSource() {
            return reporting();
        }
    }

    @Test
    void theGlobalOneBacksOff() {
        runner.withUserConfiguration(OwnGlobal.class).run(context -> {
            DataSource own = context.getBean("globalDataSource", DataSource.class);
            assertThat(((HikariDataSource) own).getJdbcUrl()).endsWith("reports");
            assertThat(context.getBean("globalTransactionManager", JdbcTransactionManager.class)
                            .getDataSource())
                    .isSameAs(own);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPools {
        @Bean
        ShardedDatabases pools() {
            return new ShardedDatabases(Map.of("pg1", reporting()));
        }
    }

    @Test
    void poolsOfTheApplicationSayWhatTheGlobalOneNeeds() {
        runner.withUserConfiguration(OwnPools.class).run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining(ClusterConfigurationException.class.getName() + ": ")
                .hasStackTraceContaining("ShardedDatabases.withGlobal"));
    }
}
