package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.plain.PlainUser;
import io.github.shardedid.boot.plain.PlainUserRepository;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.SimpleJdbcInsert;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.transaction.support.TransactionTemplate;

/** The ordinary data source of the global database, on pg2, and one of the application beside both. */
class GlobalDataSourceIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final DataSource global = app.context.getBean("globalDataSource", DataSource.class);
    private final JdbcClient client = app.context.getBean("globalJdbcClient", JdbcClient.class);

    @Test
    void findsTheGlobalTablesInAnyScope() {
        app.bean(SettingRepository.class).save(new Setting("depth", "low"));
        assertThat(client.sql("SELECT current_schema()").query(String.class).single())
                .isEqualTo("sharded_global");
        List<String> inShard = ShardContext.call(1, () -> client.sql("SELECT content FROM setting WHERE name = 'depth'")
                .query(String.class)
                .list());
        assertThat(inShard).containsExactly("low");
    }

    @Test
    void describesAndInsertsAsAnyDataSource() {
        client.sql("DROP TABLE IF EXISTS job_lock").update();
        client.sql("CREATE TABLE job_lock (name text PRIMARY KEY, holder text)").update();
        new SimpleJdbcInsert(global).withTableName("job_lock").execute(Map.of("name", "nightly", "holder", "a"));
        assertThat(app.home(6).query("SELECT holder FROM sharded_global.job_lock"))
                .containsExactly("a");
        client.sql("DROP TABLE job_lock").update();
    }

    @Test
    void itsTransactionsAreItsOwn() {
        client.sql("DELETE FROM setting WHERE name = 'undone'").update();
        TransactionTemplate transactions =
                new TransactionTemplate(app.context.getBean("globalTransactionManager", JdbcTransactionManager.class));
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    client.sql("INSERT INTO setting VALUES ('undone', 'x')").update();
                    User user = app.userIn(3);
                    assertThat(app.query(3, "SELECT id FROM $.app_user WHERE id = " + user.id()))
                            .hasSize(1);
                    throw new IllegalStateException("undo");
                }))
                .hasMessage("undo");
        assertThat(app.bean(SettingRepository.class).existsById("undone")).isFalse();
    }

    @Test
    void withoutItTheRefusalNamesIt() {
        JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
        assertThatThrownBy(() -> jdbc.queryForList("SELECT * FROM batch_job_instance"))
                .hasStackTraceContaining(NoShardException.class.getName())
                .hasStackTraceContaining("globalDataSource");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJpaRepositories(basePackageClasses = UserRepository.class)
    static class ShardedRepositories {}

    @Configuration(proxyBeanMethods = false)
    @Import({PhotoSharing.class, ShardedRepositories.class})
    @EnableJpaRepositories(
            basePackageClasses = PlainUserRepository.class,
            entityManagerFactoryRef = "reportsFactory",
            transactionManagerRef = "reportsTransactions")
    static class WithReports {
        static String url = "";
        static String user = "";
        static String password = "";

        @Bean
        DataSource reports() {
            return new DriverManagerDataSource(url, user, password);
        }

        @Bean(defaultCandidate = false)
        LocalContainerEntityManagerFactoryBean reportsFactory(
                EntityManagerFactoryBuilder builder, @Qualifier("reports") DataSource reports) {
            return builder.dataSource(reports)
                    .packages(PlainUser.class)
                    .persistenceUnit("reports")
                    .build();
        }

        @Bean(defaultCandidate = false)
        JpaTransactionManager reportsTransactions(@Qualifier("reportsFactory") EntityManagerFactory reports) {
            return new JpaTransactionManager(reports);
        }
    }

    @Test
    void anotherDatabaseOfTheApplicationStandsBeside() {
        TestDatabase other = app.databases.get(0).server().newDatabase();
        WithReports.url = other.server().url(other.name());
        WithReports.user = other.server().username();
        WithReports.password = other.server().password();
        try (ConfigurableApplicationContext context = app.start(WithReports.class)) {
            User user = ShardContext.call(
                    2, () -> context.getBean(UserRepository.class).save(new User("beside reports")));
            assertThat(app.query(2, "SELECT name FROM $.app_user WHERE id = " + user.id()))
                    .containsExactly("beside reports");
            JdbcTemplate reports = new JdbcTemplate(context.getBean("reports", DataSource.class));
            assertThat(reports.queryForObject("SELECT current_database()", String.class))
                    .isEqualTo(other.name());
            reports.execute("CREATE TABLE plain_user (id bigint PRIMARY KEY, name text)");
            reports.update("INSERT INTO plain_user VALUES (7, 'unsharded')");
            PlainUserRepository plain = context.getBean(PlainUserRepository.class);
            assertThat(plain.findById(7L)).isPresent();
            List<PlainUser> all = ShardContext.call(3, plain::findAll);
            assertThat(all).hasSize(1);
            plain.deleteById(7L);
            assertThat(plain.count()).isZero();
        }
    }
}
