package io.github.shardedid.benchmarks.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.benchmarks.Taps;
import io.github.shardedid.benchmarks.jpa.Saves.Way;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Round trips of the saves that are measured, counted on the wire. */
@Tag("slow")
class TurnsIntegrationTests {
    /** Twenty batches of fifty rows, and the commit. */
    private static final int TURNS_OF_A_SAVE = 21;

    /** The insert, which is the commit, too. */
    private static final long TURNS_OF_ONE = 1;

    /** The id, and the insert. */
    private static final long TURNS_WITH_ID = 2;

    static Taps taps;
    static Saves saves;

    @BeforeAll
    static void start() throws Exception {
        taps = new Taps();
        saves = Taps.trusting(() -> new Saves(taps.database(1), taps.database(2), taps.database(1)));
        saves.awaitLeases();
        for (int i = 0; i < 10 * Saves.SHARDS; i++) {
            for (Way way : Way.values()) {
                saves.save(way, i % 2 == 0 ? SaveFigures.ENTITIES : 1);
            }
        }
    }

    @AfterAll
    static void stop() {
        saves.close();
        taps.close();
    }

    @Test
    void withIdsOfTheJvmOnlyTheBatchesAndTheCommitAreTurns() {
        // A lease may have to be renewed meanwhile.
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(taps.turns(() -> saveInEveryShard(SaveFigures.ENTITIES)))
                        .isEqualTo((long) Saves.SHARDS * TURNS_OF_A_SAVE));
    }

    @Test
    void aSingleEntityWithAnIdOfTheJvmIsOneTurn() {
        await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> assertThat(taps.turns(() -> saveInEveryShard(1)))
                .isEqualTo((long) Saves.SHARDS * TURNS_OF_ONE));
    }

    private static void saveInEveryShard(int entities) {
        for (int shard = 0; shard < Saves.SHARDS; shard++) {
            saves.save(Way.JVM, entities);
        }
    }

    @Test
    void withIdsOfTheDatabaseTheBlocksAreAFewTurnsMore() {
        long turns = taps.turns(() -> saves.save(Way.DATABASE, SaveFigures.ENTITIES));

        assertThat(turns).isBetween((long) TURNS_OF_A_SAVE, TURNS_OF_A_SAVE + 5L);
        assertThat(turns).isLessThan(taps.turns(() -> saves.save(Way.POOLED, SaveFigures.ENTITIES)));
    }

    @Test
    void aSingleEntityWithAnIdOfTheDatabaseIsTwoTurnsAtMost() {
        assertThat(taps.turns(() -> saves.save(Way.DATABASE, 1))).isBetween(TURNS_OF_ONE, TURNS_WITH_ID);
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
        return taps.turns(find);
    }
}
