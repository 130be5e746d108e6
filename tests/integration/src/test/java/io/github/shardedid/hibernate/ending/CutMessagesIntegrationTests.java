package io.github.shardedid.hibernate.ending;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.WireTap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongConsumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A commit whose connection breaks at any byte, of what is sent or of what is answered: all of it is stored or nothing, and the
 * application is told which, or that it cannot be known.
 */
class CutMessagesIntegrationTests {
    private static final int SHARD = 0;
    private static final String BEGUN = "begun begun 0";

    private static TestCluster cluster;
    private static SlipTables tables;
    private static WireTap tap;
    private static HikariDataSource pool;
    private static SessionFactory sessions;

    /** What a transaction does; its commit is cut. */
    private enum Work {
        /** One round trip. */
        SAVE(1) {
            @Override
            void in(Session session) {
                save(session, "saved");
            }
        },
        /** One round trip. */
        SAVE_SEVERAL(3) {
            @Override
            void in(Session session) {
                List.of("first", "second", "third").forEach(title -> save(session, title));
            }
        },
        /** The last row and the commit are a round trip each. */
        SAVE_TWICE(2) {
            @Override
            void in(Session session) {
                save(session, "earlier");
                session.flush();
                save(session, "later");
            }
        },
        UPDATE(1) {
            @Override
            void in(Session session) {
                only(session).title = "updated";
            }
        };

        /** How many rows differ from those before. */
        private final int changes;

        Work(int changes) {
            this.changes = changes;
        }

        abstract void in(Session session);

        static void save(Session session, String title) {
            ShardedSlip slip = new ShardedSlip();
            slip.title = title;
            slip.word = title;
            session.persist(slip);
        }
    }

    @BeforeAll
    static void start() {
        cluster = new TestCluster(IdLayout.DEFAULT, 2, 2);
        TestDatabase home = cluster.home(SHARD);
        tables = new SlipTables(home, ShardSchema.nameOf(SHARD)).create();
        tables.execute("CREATE SEQUENCE $.slip_id_seq MINVALUE 0");
        tap = new WireTap(home.server().port());
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(tap.url(home.name()));
        config.setUsername(home.server().username());
        config.setPassword(home.server().password());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(5_000);
        pool = new HikariDataSource(config);
        Configuration configuration = new Configuration().addAnnotatedClass(ShardedSlip.class);
        configuration.setProperty("hibernate.jdbc.batch_size", 20);
        configuration
                .getProperties()
                .put(
                        "hibernate.connection.datasource",
                        new RoutingDataSource(
                                cluster.cluster(),
                                Map.of("pg1", pool, "pg2", cluster.sources().get("pg2"))));
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        pool.close();
        tap.close();
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void requestsAreCutAtAnyByte(Work work) {
        cutAnywhere(work, tap::cutRequestAfter);
    }

    @ParameterizedTest
    @EnumSource
    void answersAreCutAtAnyByte(Work work) {
        cutAnywhere(work, tap::cutAnswerAfter);
    }

    private static void cutAnywhere(Work work, LongConsumer cut) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        boolean wasCut = true;
        for (long bytes = 0; wasCut; bytes += 1 + random.nextInt(10)) {
            tables.execute("SET session_replication_role = replica; DELETE FROM $.slip");
            tables.execute("SET session_replication_role = replica;"
                    + " INSERT INTO $.slip (id, title, word, version) VALUES (1, 'begun', 'begun', 0)");
            long after = bytes;
            ShardContext.run(
                    SHARD, () -> sessions.inSession(CutMessagesIntegrationTests::only)); // a connection is at hand
            Outcome outcome =
                    ShardContext.call(SHARD, () -> sessions.fromSession(session -> run(session, work, cut, after)));
            wasCut = tap.deliverAll();
            List<Integer> allowed =
                    switch (outcome) {
                        case COMMITTED -> List.of(work.changes);
                        case UNKNOWN -> List.of(0, work.changes);
                        case FAILED -> List.of(0);
                    };
            assertThat(changes())
                    .as("%s after %d bytes, seed %d", outcome, bytes, seed)
                    .isIn(allowed);
        }
    }

    private static ShardedSlip only(Session session) {
        return session.createQuery("from ShardedSlip", ShardedSlip.class).getSingleResult();
    }

    private static int changes() {
        List<String> contents = tables.contents();
        return contents.contains(BEGUN) ? contents.size() - 1 : contents.size();
    }

    private enum Outcome {
        COMMITTED,
        UNKNOWN,
        FAILED
    }

    private static Outcome run(Session session, Work work, LongConsumer cut, long bytes) {
        Transaction transaction = session.beginTransaction();
        work.in(session);
        cut.accept(bytes);
        try {
            transaction.commit();
            return Outcome.COMMITTED;
        } catch (RuntimeException e) {
            return isUnknown(e) ? Outcome.UNKNOWN : Outcome.FAILED;
        }
    }

    private static boolean isUnknown(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && ConnectionLostException.OUTCOME_UNKNOWN.equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
