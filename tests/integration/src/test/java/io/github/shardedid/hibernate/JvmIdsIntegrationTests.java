package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.JDBCException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class JvmIdsIntegrationTests {
    private static final int ROWS = 50;

    private final AtomicInteger fallbacks = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();

    private Configuration configuration(TestCluster databases) {
        Configuration configuration = HibernateCluster.configuration(databases);
        configuration.addAnnotatedClass(Postcard.class);
        configuration.setProperty("hibernate.generate_statistics", "true");
        configuration
                .getProperties()
                .put(ShardingSettings.JVM_ID_OPTIONS, JvmIdOptions.DEFAULT.withListener(counting()));
        return configuration;
    }

    private LeaseListener counting() {
        return new LeaseListener() {
            @Override
            public void fallback(int shard, FallbackReason reason) {
                fallbacks.incrementAndGet();
            }

            @Override
            public void released(int shard, int node) {
                releases.incrementAndGet();
            }
        };
    }

    private static List<Long> persist(SessionFactory sessions, int user, int rows) {
        return sessions.fromTransaction(session -> {
            List<Postcard> cards = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                Postcard card = new Postcard(user);
                session.persist(card);
                cards.add(card);
            }
            session.flush();
            return cards.stream().map(card -> card.id).toList();
        });
    }

    @Test
    void rowsAreInsertedInBatchesWithIdsOfTheJvmThatGrowAndTheLeaseIsGivenBackOnClose() {
        try (TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, "classpath:db/jvm")) {
            List<Long> ids = new ArrayList<>();
            try (SessionFactory sessions = configuration(databases).buildSessionFactory()) {
                await().until(() -> {
                    List<Long> one = persist(sessions, 3, 1);
                    ids.addAll(one);
                    return IdLayout.DEFAULT.decode(one.get(0)).node().isPresent();
                });
                int before = fallbacks.get();
                sessions.getStatistics().clear();

                ids.addAll(persist(sessions, 3, ROWS));

                assertThat(fallbacks.get()).isEqualTo(before);
                assertThat(sessions.getStatistics().getPrepareStatementCount())
                        .as("statements for %s rows: the insert", ROWS)
                        .isLessThanOrEqualTo((ROWS + 19) / 20);
            }
            assertThat(releases.get()).isEqualTo(1);
            assertThat(ids).isSorted().doesNotHaveDuplicates();
            assertThat(databases.idsEverywhere("postcard")).isEqualTo(ids);
            assertThat(ids).allMatch(id -> IdLayout.DEFAULT.shardOf(id) == 3);
        }
    }

    /** As a statement that is not in a batch. */
    @Test
    void aBatchForAShardWithoutAnOwnerIsRefusedAsAnUnavailableDatabase() {
        try (TestCluster databases = new TestCluster(IdLayout.DEFAULT, 4, 2, "classpath:db/jvm")) {
            AtomicReference<ShardMap> map =
                    new AtomicReference<>(databases.cluster().map().get());
            CurrentShardMap current = new CurrentShardMap(map::get);
            Configuration configuration = configuration(databases);
            configuration
                    .getProperties()
                    .put(
                            "hibernate.connection.datasource",
                            new RoutingDataSource(new Cluster(IdLayout.DEFAULT, current), databases.sources()));
            try (SessionFactory sessions = configuration.buildSessionFactory()) {
                await().until(() -> IdLayout.DEFAULT
                        .decode(persist(sessions, 3, 1).get(0))
                        .node()
                        .isPresent());
                map.set(new ShardMap(4, List.of(), Map.of("pg2", "it is down")));
                current.refresh(current.get());

                for (int rows : new int[] {1, 5, 30}) {
                    assertThatThrownBy(() -> sessions.inTransaction(session -> {
                                for (int i = 0; i < rows; i++) {
                                    session.persist(new Postcard(3));
                                }
                            }))
                            .as("%s rows", rows)
                            .hasStackTraceContaining(DatabaseUnavailableException.class.getName());
                    assertThatThrownBy(() -> persist(sessions, 3, rows))
                            .as("%s rows, flushed", rows)
                            .isInstanceOf(JDBCException.class)
                            .hasStackTraceContaining(DatabaseUnavailableException.class.getName());
                }
            }
        }
    }

    @Test
    void aLayoutThatLeavesTheJvmNoValuesIsRefusedAtStartUp() {
        try (TestCluster databases = new TestCluster(IdLayout.DEFAULT.withJvmNodes(0), 4, 1, "classpath:db/jvm")) {
            assertThatThrownBy(() -> configuration(databases).buildSessionFactory())
                    .isInstanceOf(ShardedIdMappingException.class)
                    .hasMessageContaining("Postcard.id")
                    .hasMessageContaining("jvm-nodes");
        }
    }
}
