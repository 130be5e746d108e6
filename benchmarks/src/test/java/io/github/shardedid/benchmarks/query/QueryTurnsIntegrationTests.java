package io.github.shardedid.benchmarks.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.benchmarks.Taps;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query over several shards costs per database, not per shard, as long as one statement asks them all. */
@Tag("embedded-only")
@Tag("slow")
class QueryTurnsIntegrationTests {
    private static final int ROWS = 20;

    /** So often that all statements are prepared on the servers. */
    private static final int WARM = 10;

    /** One on each of the two databases. */
    private static final List<Long> ONE_OF_EACH = List.of(1L, 1L);

    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void aQueryIsOneTurnOfEachDatabaseHoweverManyShardsItHasAndOneMoreIfItIsMerged(int count) throws Exception {
        try (Taps taps = new Taps();
                ManyShards shards = Taps.trusting(
                        () -> new ManyShards(count, ROWS, taps.database(1), taps.database(2), taps.database(1)))) {
            Asking ours = shards.by(ManyShards.OURS);
            List<Long> ids = shards.someIds(ManyShards.OURS);
            for (int i = 0; i < WARM; i++) {
                ours.newest();
                ours.count();
                ours.byIds(ids);
            }

            assertThat(taps.turnsOfEach(ours::newest)).as("newest").isEqualTo(ONE_OF_EACH);
            assertThat(taps.turnsOfEach(ours::count))
                    .as("counts, which one database merges")
                    .containsExactly(2L, 1L);
            assertThat(taps.turnsOfEach(() -> ours.byIds(ids)))
                    .as("rows by ids")
                    .isEqualTo(ONE_OF_EACH);
        }
    }
}
