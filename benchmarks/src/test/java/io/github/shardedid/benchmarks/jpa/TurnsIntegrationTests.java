package io.github.shardedid.benchmarks.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Round trips of the saves that are measured, counted on the wire. */
class TurnsIntegrationTests {
    private static final int SHARDS = 8;

    /** Twenty batches of fifty rows, and the commit. */
    private static final int TURNS_OF_A_SAVE = 21;

    static WireTap tap1;
    static WireTap tap2;
    static SaveFigures saves;

    @BeforeAll
    static void start() throws Exception {
        tap1 = new WireTap(PostgresServers.shared(1).port());
        tap2 = new WireTap(PostgresServers.shared(2).port());
        saves = TestPools.trusting(TurnsIntegrationTests::newFigures);
        for (int i = 0; i < 10 * SHARDS; i++) {
            saves.saveByDatabase();
            saves.savePlainly();
        }
    }

    private static SaveFigures newFigures() {
        try {
            return new SaveFigures(behind(tap1, 1), behind(tap2, 2), behind(tap1, 1));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Database behind(WireTap tap, int server) {
        TestDatabase database = PostgresServers.shared(server).newDatabase();
        return new Database(tap.url(database.name()));
    }

    @AfterAll
    static void stop() {
        saves.close();
        tap1.close();
        tap2.close();
    }

    private static long turns(Runnable work) {
        tap1.reset();
        tap2.reset();
        work.run();
        return tap1.turns() + tap2.turns();
    }

    @Test
    void withIdsOfTheJvmOnlyTheBatchesAndTheCommitAreTurns() {
        // The first ids of a shard come from the database, until its lease is there.
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(turns(TurnsIntegrationTests::saveInEveryShard))
                        .isEqualTo((long) SHARDS * TURNS_OF_A_SAVE));
    }

    private static void saveInEveryShard() {
        for (int shard = 0; shard < SHARDS; shard++) {
            saves.saveByJvm();
        }
    }

    @Test
    void withIdsOfTheDatabaseTheBlocksAreAFewTurnsMore() {
        long turns = turns(saves::saveByDatabase);

        assertThat(turns).isBetween((long) TURNS_OF_A_SAVE, TURNS_OF_A_SAVE + 5L);
        assertThat(turns).isLessThan(turns(saves::savePlainly));
    }

    @Test
    void findingByIdIsOneTurnWherePlainlyItIsTwo() {
        SavedByDatabase sharded = new SavedByDatabase(3, "to be found");
        SavedPlainly plain = new SavedPlainly(3, "to be found");
        saves.shardedSessions().inTransaction(session -> session.persist(sharded));
        saves.plainSessions().inTransaction(session -> session.persist(plain));

        assertThat(turnsOfFinding(saves.shardedSessions(), SavedByDatabase.class, sharded.id))
                .isEqualTo(1);
        assertThat(turnsOfFinding(saves.plainSessions(), SavedPlainly.class, plain.id))
                .isEqualTo(2);
    }

    private static long turnsOfFinding(SessionFactory sessions, Class<?> entity, @Nullable Object id) {
        assertThat(id).isNotNull();
        Runnable find = () -> sessions.inTransaction(
                session -> assertThat(session.find(entity, id)).isNotNull());
        find.run();
        return turns(find);
    }
}
