package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.SimpleJdbcInsert;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that has excluded Hibernate uses the shards by JDBC, with Boot's transactions for that. */
@Tag("quick")
class WithoutJpaIntegrationTests {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    static class JdbcOnly {}

    @Test
    void jdbcAloneWillDo() {
        RunningApp app = RunningApp.shared();
        try (ConfigurableApplicationContext context = app.start(JdbcOnly.class)) {
            assertThat(context.getBeanNamesForType(EntityManagerFactory.class)).isEmpty();
            PlatformTransactionManager transactions = context.getBean(PlatformTransactionManager.class);
            assertThat(transactions).isInstanceOf(JdbcTransactionManager.class);
            JdbcClient jdbc = context.getBean(JdbcClient.class);
            Long id = ShardContext.call(5, () -> new TransactionTemplate(transactions)
                    .execute(status -> jdbc.sql("INSERT INTO app_user (name) VALUES ('by JDBC') RETURNING id")
                            .query(Long.class)
                            .single()));

            assertThat(app.shardOf(id == null ? 0 : id)).isEqualTo(5);
            assertThat(app.query(5, "SELECT name FROM $.app_user WHERE id = " + id))
                    .containsExactly("by JDBC");
        }
    }

    @Test
    void sqlInTheScopeOfAShardNamesNoSchema() {
        RunningApp app = RunningApp.shared();
        User author = app.userIn(6);
        app.photoOf(author, "by SQL");

        assertThat(captions(app.bean(JdbcTemplate.class), app.bean(Cluster.class), author.id()))
                .containsExactly("by SQL");
    }

    private static List<String> captions(JdbcTemplate jdbc, Cluster cluster, long authorId) {
        int shard = cluster.shardOf(authorId);
        return ShardContext.call(
                shard,
                () -> jdbc.queryForList("SELECT caption FROM photo WHERE author_id = ?", String.class, authorId));
    }

    @Test
    void simpleInsertsDescribeTheTableOfTheirScope() {
        RunningApp app = RunningApp.shared();
        JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
        for (int shard : new int[] {3, 5}) {
            Number id = ShardContext.call(shard, () -> new SimpleJdbcInsert(jdbc)
                    .withTableName("app_user")
                    .usingGeneratedKeyColumns("id")
                    .executeAndReturnKey(Map.of("name", "simple")));

            assertThat(app.shardOf(id.longValue())).isEqualTo(shard);
            assertThat(app.query(shard, "SELECT name FROM $.app_user WHERE id = " + id))
                    .containsExactly("simple");
        }
    }
}
