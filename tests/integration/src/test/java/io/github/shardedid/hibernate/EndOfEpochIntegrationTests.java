package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.generator.FallbackReason;
import io.github.shardedid.generator.JvmIdOptions;
import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.TimestampUnit;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.AbstractThrowableAssert;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application that has run on past the end: its databases' clocks say so, whatever it believed when it started. */
@Tag("quick")
class EndOfEpochIntegrationTests {
    /** 2²³ milliseconds: two hours, and those are long over. */
    private static final IdLayout OVER =
            new IdLayout(Instant.parse("2020-01-01T00:00:00Z"), TimestampUnit.MILLISECONDS, 24, 20, 20, 32);

    private static final Set<FallbackReason> REASONS = ConcurrentHashMap.newKeySet();

    static TestCluster databases;
    static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(OVER, 2, 1, OVER::epoch, "classpath:db/hibernate", "classpath:db/jvm");
        Configuration configuration = HibernateCluster.configuration(databases).addAnnotatedClass(Postcard.class);
        LeaseListener listener = new LeaseListener() {
            @Override
            public void fallback(int shard, FallbackReason reason) {
                REASONS.add(reason);
            }
        };
        configuration.getProperties().put(ShardingSettings.JVM_ID_OPTIONS, JvmIdOptions.DEFAULT.withListener(listener));
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(Object row) {
        return assertThatThrownBy(() -> ShardContext.run(
                1,
                () -> sessions.inTransaction(session -> {
                    session.persist(row);
                    session.flush();
                })));
    }

    @Test
    void noStrategyMakesAnIdAndNoRowIsWritten() {
        for (int i = 0; i < 3; i++) {
            refused(new Author("by a block"))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
            refused(new Postcard(1))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
            refused(new Remark(OVER.encode(5, 1, 0), "by the column"))
                    .hasStackTraceContaining("No id can be made for shard 1");
        }

        TestDatabase database = databases.home(1);
        for (String table : List.of("author", "postcard", "remark")) {
            assertThat(databases.idsIn(1, table)).isEmpty();
            assertThat(database.queryLong(
                            "SELECT coalesce(pg_sequence_last_value('shard_0001." + table + "_id_seq'), 0)"))
                    .isBetween(0L, OVER.encode(0, 1, OVER.databaseSequences() - 1));
        }
    }

    @Test
    void noLeaseIsGranted() {
        await().untilAsserted(() -> {
            refused(new Postcard(1))
                    .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
            assertThat(REASONS).contains(FallbackReason.EPOCH_EXHAUSTED);
        });

        assertThat(databases.home(1).query("SELECT node FROM shard_0001.sharded_id_lease WHERE node >= 0"))
                .isEmpty();
    }
}
