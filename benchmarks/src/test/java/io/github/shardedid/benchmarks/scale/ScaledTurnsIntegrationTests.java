package io.github.shardedid.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.benchmarks.Taps;
import io.github.shardedid.benchmarks.jpa.ScaledShards;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A find and a save are as many round trips with many shards as with two. */
@Tag("embedded-only")
@Tag("slow")
class ScaledTurnsIntegrationTests {

    private static final int FEW = 2;
    private static final int MANY = 64;
    private static final int ROWS = 128;

    static Taps taps;
    static ScaledShards few;
    static ScaledShards many;

    @BeforeAll
    static void start() {
        taps = new Taps();
        few = scaled(FEW);
        many = scaled(MANY);
    }

    private static ScaledShards scaled(int shards) {
        return Taps.trusting(() -> new ScaledShards(shards, ROWS, taps.database(1), taps.database(2)));
    }

    @AfterAll
    static void stop() {
        few.close();
        many.close();
        taps.close();
    }

    private static ScaledShards of(int shards) {
        return shards == FEW ? few : many;
    }

    /** The turns of as many calls as there are rows, each to another shard than the one before. */
    private static long turns(ScaledShards shards, IntConsumer call) {
        return taps.turns(() -> {
            for (int shard : shards.shardsInTurn(ROWS, shards.shards())) {
                call.accept(shard);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY})
    void aFindIsOneTurn(int count) {
        ScaledShards shards = of(count);
        List<Long> ids = shards.idsOf(shards.shardsInTurn(ROWS, count));
        ids.forEach(shards::find);
        int[] next = {0};

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(turns(shards, shard -> shards.find(ids.get(next[0]++)))).isEqualTo(ROWS);
    }

    /** The first ids of a shard come from the database, until its lease is there. */
    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY})
    void aSaveWithAnIdOfTheJvmIsOneTurn(int count) {
        ScaledShards shards = of(count);

        await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> assertThat(turns(shards, shards::saveByJvm))
                .isEqualTo(ROWS));
    }

    /** Ids made ahead for a shard are thrown away after a second; so with many shards most saves ask for one. */
    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY})
    void aSaveWithAnIdOfTheDatabaseIsTwoTurnsAtMost(int count) {
        ScaledShards shards = of(count);
        turns(shards, shards::saveByDatabase);

        assertThat(turns(shards, shards::saveByDatabase)).isBetween((long) ROWS, 2L * ROWS);
    }
}
