package io.github.shardedid.benchmarks.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start opens. */
@Tag("slow")
@Tag("embedded-only")
class StartIntegrationTests {
    private static final int MANY = 64;

    /**
     * Two of each pool: the start's, and another one if the background tasks come before the start gives it back. Two databases have
     * two pools each, for calls and for the map.
     */
    private static final int MOST = 2 * 2 * 2;

    @ParameterizedTest
    @ValueSource(ints = {2, MANY})
    void theConnectionsOpenedByAStartDoNotDependOnTheNumberOfShards(int shards) throws Exception {
        StartedShards started = StartedShards.of(shards);
        started.start();

        assertThat(started.connections())
                .as("connections opened by the start of an application of %s shards", shards)
                .isBetween(1.0, (double) MOST);
    }
}
