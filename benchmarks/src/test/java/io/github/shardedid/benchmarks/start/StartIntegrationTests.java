package io.github.shardedid.benchmarks.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a start opens. */
@Tag("slow")
@Tag("embedded-only")
class StartIntegrationTests {
    private static final int MANY = 64;

    @Test
    void theConnectionsOpenedByAStartDoNotDependOnTheNumberOfShards() throws Exception {
        StartedShards few = StartedShards.of(2);
        StartedShards many = StartedShards.of(MANY);
        few.start();
        many.start();

        assertThat(many.connections())
                .as("connections opened by the start of an application of %s shards", MANY)
                .isPositive()
                .isEqualTo(few.connections());
    }
}
