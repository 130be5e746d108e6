package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims of a cluster to which shards are added. */
@Tag("quick")
class AddedShardsClaimsIntegrationTests {
    private static final int BEFORE = 3;
    private static final int AFTER = 8;
    private static final int VALUES = 20;
    private static final String SCRIPTS = "classpath:db/unique";

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, BEFORE, 2, SCRIPTS);

    @AfterEach
    void stop() {
        databases.close();
    }

    private SessionFactory sessions(RoutingDataSource source) {
        var configuration = UniqueValuesIntegrationTests.configuration(databases);
        configuration.getProperties().put("hibernate.connection.datasource", source);
        return configuration.buildSessionFactory();
    }

    private static void save(SessionFactory sessions, int shard, Member member) {
        ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(member)));
    }

    @Test
    void aValueStaysTakenAndFound() {
        try (SessionFactory sessions = sessions(databases.dataSource())) {
            for (int i = 0; i < VALUES; i++) {
                save(sessions, i % BEFORE, new Member("before" + i));
            }
        }
        ClusterDefinition grown = new ClusterDefinition(
                IdLayout.DEFAULT, AFTER, databases.definition().initialShards());
        new Provisioner(grown, databases.sources(), ShardMigrations.at(SCRIPTS)).provision();
        Cluster cluster = new Cluster(
                IdLayout.DEFAULT, new CurrentShardMap(new DatabaseShardMapSource(grown, databases.sources())));
        try (SessionFactory sessions = sessions(new RoutingDataSource(cluster, databases.sources()))) {
            for (int i = 0; i < VALUES; i++) {
                Member second = new Member("BEFORE" + i);
                int shard = i % AFTER;
                assertThatThrownBy(() -> save(sessions, shard, second))
                        .hasStackTraceContaining("DuplicateValueException");
                String found = "before" + i;
                Member member = sessions.fromTransaction(
                        session -> session.createSelectionQuery("from Member where lower(email) = :email", Member.class)
                                .setParameter("email", found)
                                .getSingleResult());
                assertThat(cluster.shardOf(Objects.requireNonNull(member.id))).isLessThan(BEFORE);
            }
            save(sessions, AFTER - 1, new Member("after"));
            assertThatThrownBy(() -> save(sessions, 0, new Member("After")))
                    .hasStackTraceContaining("DuplicateValueException");
        }
    }
}
