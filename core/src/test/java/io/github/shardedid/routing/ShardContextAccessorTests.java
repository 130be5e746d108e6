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
    void theScopeOfAnIntegrationStaysAndIsRestored() throws Exception {
        try (ShardContext.Scope scope = ShardContext.open(5);
                ShardContext.Scope routed = RoutedScope.open(7)) {
            assertThat(carrying.submit(ShardContext::current).get()).hasValue(5);
            Runnable check = () -> assertThat(ShardContext.current()).hasValue(5);
            ContextSnapshotFactory.builder().build().captureAll().wrap(check).run();
            assertThat(ShardContext.current()).hasValue(7);
        }
        try (ShardContext.Scope routed = RoutedScope.open(7)) {
            assertThat(carrying.submit(ShardContext::current).get()).isEqualTo(OptionalInt.empty());
            Runnable check = () -> assertThat(ShardContext.current()).isEmpty();
            ContextSnapshotFactory.builder().build().captureAll().wrap(check).run();
            assertThat(ShardContext.current()).hasValue(7);
        }
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void afterEachCallTheScopeIsTheOneOfBefore() {
        Runnable wrapped = () -> {
            ShardContext.Scope before = ShardContext.captured();
            for (int call = 0; call < 3; call++) {
                ContextSnapshotFactory.builder()
                        .build()
                        .captureAll()
                        .wrap(() -> {})
                        .run();
                assertThat(ShardContext.captured()).isSameAs(before);
            }
        };
        Runnable withoutTarget = RoutedScope.carry(() -> {
            wrapped.run();
            assertThat(ShardContext.current()).isEmpty();
            assertThat(ShardContext.opened()).isEqualTo(Target.shard(5));
        });
        try (ShardContext.Scope scope = ShardContext.open(5)) {
            wrapped.run();
            withoutTarget.run();
        }
        wrapped.run();
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
