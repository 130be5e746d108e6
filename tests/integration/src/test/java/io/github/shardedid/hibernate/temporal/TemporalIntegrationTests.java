package io.github.shardedid.hibernate.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.temporal.Rates.Fee;
import io.github.shardedid.hibernate.temporal.Rates.Rate;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardKeys;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hibernate's own histories: {@code @Temporal} works in the shard of the row, and {@code @Audited} is refused. */
@Tag("quick")
class TemporalIntegrationTests {
    private static final int SHARDS = 8;
    private static final int HERE = 1;
    private static final int ELSEWHERE = 6;

    private enum Strategy {
        SINGLE_TABLE(Rates.TABLES, Rates.GLOBAL_TABLES, ""),
        HISTORY_TABLE(Rates.HISTORIES, Rates.GLOBAL_HISTORIES, "_history");

        final String tables;
        final String global;
        final String suffix;

        Strategy(String tables, String global, String suffix) {
            this.tables = tables;
            this.global = global;
            this.suffix = suffix;
        }
    }

    private static TestCluster cluster() {
        return new TestCluster(
                IdLayout.DEFAULT,
                SHARDS,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
    }

    private static Configuration configuration(TestCluster databases, Class<?>... entities) {
        Configuration configuration = new Configuration().addAnnotatedClasses(entities);
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration;
    }

    private static String tenant(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant " + i)
                .filter(tenant -> ShardKeys.shardOf(tenant, SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void earlierStatesAreInTheShardOfTheRow(Strategy strategy) {
        try (TestCluster databases = cluster()) {
            for (int shard = 0; shard < SHARDS; shard++) {
                databases
                        .home(shard)
                        .execute("SET search_path = shard_000" + shard + "; " + strategy.tables + "RESET search_path");
            }
            databases.home(7).execute("SET search_path = sharded_global; " + strategy.global + "RESET search_path");
            try (SessionFactory sessions = configuration(databases, Rate.class, Fee.class)
                    .setProperty("hibernate.temporal.table_strategy", strategy.name())
                    .buildSessionFactory()) {
                rates(databases, sessions, strategy);
                fees(databases, sessions, strategy);
            }
            assertThat(databases.activeConnections()).isZero();
        }
    }

    private static void rates(TestCluster databases, SessionFactory sessions, Strategy strategy) {
        Rate rate = new Rate();
        rate.tenant = tenant(HERE);
        rate.words = "one";
        sessions.inTransaction(session -> session.persist(rate));
        Instant first = Instant.now();
        ShardContext.run(
                ELSEWHERE, () -> sessions.inTransaction(session -> session.find(Rate.class, rate.id).words = "two"));
        List<String> states = databases
                .home(HERE)
                .query("SELECT words FROM shard_0001.rate" + strategy.suffix + " ORDER BY effective");
        assertThat(states).containsExactly("one", "two");
        ShardContext.run(ELSEWHERE, () -> {
            try (Session session = sessions.withOptions().asOf(first).openSession()) {
                assertThat(session.find(Rate.class, rate.id).words).isEqualTo("one");
            }
            try (Session session = sessions.withOptions().asOf(first).openSession()) {
                assertThat(session.createSelectionQuery("select r.words from Rate r where r.id = :id", String.class)
                                .setParameter("id", rate.id)
                                .getSingleResult())
                        .isEqualTo("one");
            }
            sessions.inTransaction(session -> assertThat(
                            session.createSelectionQuery("select r.words from Rate r where r.id = :id", String.class)
                                    .setParameter("id", rate.id)
                                    .getSingleResult())
                    .isEqualTo("two"));
        });
        assertThatThrownBy(() ->
                        sessions.inTransaction(session -> session.find(Rate.class, rate.id).tenant = tenant(ELSEWHERE)))
                .hasStackTraceContaining(ShardKeyMismatchException.class.getName());
        sessions.inStatelessTransaction(session -> {
            Rate found = session.get(Rate.class, rate.id);
            found.words = "three";
            session.update(found);
        });
        ShardContext.run(
                ELSEWHERE, () -> sessions.inTransaction(session -> session.remove(session.find(Rate.class, rate.id))));
        sessions.inTransaction(
                session -> assertThat(session.find(Rate.class, rate.id)).isNull());
        assertThat(databases
                        .home(HERE)
                        .query("SELECT words FROM shard_0001.rate" + strategy.suffix
                                + " WHERE superseded IS NOT NULL ORDER BY effective"))
                .containsExactly("one", "two", "three");
        for (int shard = 0; shard < SHARDS; shard++) {
            if (shard != HERE) {
                assertThat(databases.home(shard).query("SELECT id FROM shard_000" + shard + ".rate" + strategy.suffix))
                        .isEmpty();
            }
        }
    }

    private static void fees(TestCluster databases, SessionFactory sessions, Strategy strategy) {
        Fee fee = new Fee();
        fee.id = 1;
        fee.words = "one";
        ShardContext.run(ELSEWHERE, () -> sessions.inTransaction(session -> session.persist(fee)));
        sessions.inTransaction(session -> session.find(Fee.class, 1L).words = "two");
        assertThat(databases
                        .home(7)
                        .query("SELECT words FROM sharded_global.fee" + strategy.suffix + " ORDER BY effective"))
                .containsExactly("one", "two");
    }

    @ParameterizedTest
    @ValueSource(classes = {Rates.Doc.class, Rates.GlobalDoc.class, Rates.OwnDoc.class, Rates.Tagged.class})
    void whatHibernateAuditsIsRefused(Class<?> entity) {
        try (TestCluster databases = cluster()) {
            Class<?>[] entities = entity == Rates.OwnDoc.class
                    ? new Class<?>[] {entity, Rates.Tagged.class}
                    : new Class<?>[] {entity};
            assertThatThrownBy(() -> configuration(databases, entities)
                            .buildSessionFactory()
                            .close())
                    .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                    .hasStackTraceContaining(entity.getSimpleName())
                    .hasStackTraceContaining("has @Audited of Hibernate")
                    .hasStackTraceContaining("org.hibernate.envers.Audited");
        }
    }
}
