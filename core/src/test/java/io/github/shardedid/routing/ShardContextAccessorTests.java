package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardContextAccessorTests {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final ExecutorService carrying = ContextExecutorService.wrap(
            thread, () -> ContextSnapshotFactory.builder().build().captureAll());

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @Test
    void aShardGoesAlongAndTheThreadHasNoneAfterwards() throws Exception {
        for (int shard : new int[] {5, 7}) {
            try (ShardContext.Scope scope = ShardContext.open(shard)) {
                assertThat(carrying.submit(ShardContext::current).get()).hasValue(shard);
            }
        }
        assertThat(carrying.submit(ShardContext::current).get()).isEqualTo(OptionalInt.empty());
        assertThat(thread.submit(ShardContext::current).get()).isEqualTo(OptionalInt.empty());
    }

    @Test
    void aSetOfShardsGoesAlong() throws Exception {
        ShardSet all = ShardSet.all();
        try (ShardContext.Scope scope = ShardContext.open(all)) {
            assertThat(carrying.submit(ShardContext::currentSet).get()).hasValue(all);
        }
        assertThat(carrying.submit(ShardContext::currentSet).get()).isEmpty();
    }
}
