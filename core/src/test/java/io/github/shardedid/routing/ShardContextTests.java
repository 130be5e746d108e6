package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.internal.RoutedShardingKey;
import io.github.shardedid.topology.UnknownShardException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardContextTests {
    @Test
    void outsideAnyScopeThereIsNoShard() {
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void theInnermostScopeCountsAndTheOuterOneComesBack() {
        ShardContext.run(5, () -> {
            assertThat(ShardContext.current()).hasValue(5);
            ShardContext.run(0, () -> assertThat(ShardContext.current()).hasValue(0));
            assertThat(ShardContext.current()).hasValue(5);
        });
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void theScopeOfAnIntegrationIsNotCarriedAndEndsForTheApplication() {
        Runnable[] carried = new Runnable[2];
        OptionalInt[] found = new OptionalInt[4];
        ShardContext.run(5, () -> {
            try (ShardContext.Scope routed = RoutedScope.open(7)) {
                found[0] = ShardContext.current();
                carried[0] = ShardContext.carry(() -> found[1] = ShardContext.current());
                carried[1] = RoutedScope.carry(() -> found[2] = ShardContext.current());
                try (ShardContext.Scope own = RoutedScope.ofApplication()) {
                    found[3] = ShardContext.current();
                    assertThat(RoutedScope.ofApplication()).isNull();
                    ShardContext.run(
                            1, () -> assertThat(RoutedScope.ofApplication()).isNull());
                }
                ShardContext.run(
                        7, () -> assertThat(RoutedScope.ofApplication()).isNull());
                assertThat(ShardContext.current()).hasValue(7);
            }
            assertThat(ShardContext.current()).hasValue(5);
            assertThat(RoutedScope.ofApplication()).isNull();
        });
        List.of(carried).forEach(Runnable::run);
        assertThat(found).containsExactly(OptionalInt.of(7), OptionalInt.of(5), OptionalInt.of(7), OptionalInt.of(5));
        assertThat(ShardContext.current()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 20})
    void whatNoClusterCanHaveIsNoShard(int number) {
        for (ThrowingCallable entry : List.<ThrowingCallable>of(
                () -> ShardContext.run(number, () -> {}),
                () -> ShardContext.call(number, () -> 1),
                () -> ShardContext.open(number),
                () -> ShardSet.of(List.of(0, number)),
                () -> new RoutedShardingKey(number),
                () -> Target.shard(number))) {
            assertThatThrownBy(entry)
                    .isInstanceOf(UnknownShardException.class)
                    .hasMessageContainingAll("shard " + number, "0 to 1048575");
        }
        assertThat(ShardContext.current()).isEmpty();
        assertThat(ShardContext.target()).isNull();
    }

    @Test
    void aCallReturnsWhatTheWorkReturns() {
        assertThat(ShardContext.<OptionalInt>call(7, ShardContext::current)).hasValue(7);
    }

    @Test
    void anExceptionRestoresTheOuterScope() {
        ShardContext.run(5, () -> {
            assertThatThrownBy(() -> ShardContext.run(6, () -> {
                        throw new IllegalStateException("broken work");
                    }))
                    .hasMessage("broken work");
            assertThat(ShardContext.current()).hasValue(5);
        });
        assertThatThrownBy(() -> ShardContext.call(6, () -> {
                    throw new AssertionError("broken work");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void anOpenScopeEndsWhenItIsClosed() {
        try (ShardContext.Scope outer = ShardContext.open(5)) {
            try (ShardContext.Scope inner = ShardContext.open(6)) {
                assertThat(ShardContext.current()).hasValue(6);
            }
            assertThat(ShardContext.current()).hasValue(5);
        }
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void aScopeIsItsThreadsOwn() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            ShardContext.run(5, () -> {
                assertThat(currentOn(executor)).isEmpty();
                CompletableFuture.runAsync(() -> ShardContext.run(6, () -> {}), executor)
                        .join();
                assertThat(ShardContext.current()).hasValue(5);
                assertThat(currentOn(executor))
                        .as("a pooled thread keeps nothing")
                        .isEmpty();
            });
        } finally {
            executor.shutdownNow();
        }
    }

    private static OptionalInt currentOn(ExecutorService executor) {
        return CompletableFuture.supplyAsync(ShardContext::current, executor).join();
    }

    @Test
    void aSetAndASingleShardHideEachOther() {
        ShardContext.run(ShardSet.all(), () -> {
            assertThat(ShardContext.currentSet()).contains(ShardSet.all());
            assertThat(ShardContext.current()).isEmpty();
            ShardContext.run(7, () -> {
                assertThat(ShardContext.currentSet()).isEmpty();
                assertThat(ShardContext.current()).hasValue(7);
            });
            assertThat(ShardContext.currentSet()).contains(ShardSet.all());
        });
        assertThat(ShardContext.currentSet()).isEmpty();
    }

    @Test
    void carriedWorkRunsInTheScopeInWhichItWasMadeAndLeavesTheOneAroundItAlone() {
        Runnable inFive;
        try (ShardContext.Scope scope = ShardContext.open(5)) {
            inFive = ShardContext.carry(() -> assertThat(ShardContext.current()).hasValue(5));
        }
        Runnable everywhere = ShardContext.<Runnable>call(
                ShardSet.all(),
                () -> ShardContext.carry(
                        () -> assertThat(ShardContext.currentSet()).hasValue(ShardSet.all())));

        inFive.run();
        ShardContext.run(6, () -> {
            inFive.run();
            everywhere.run();
            assertThat(ShardContext.current()).hasValue(6);
        });
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void workThatWasMadeOutsideAnyScopeRunsInNone() {
        Runnable outside =
                ShardContext.carry(() -> assertThat(ShardContext.current()).isEmpty());

        ShardContext.run(6, () -> {
            outside.run();
            assertThat(ShardContext.current()).hasValue(6);
        });
    }

    @Test
    void anExecutorThatCarriesTakesTheScopeAlongWhateverItsThreadDidBefore() {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Executor carrying = ShardContext.carrying(thread);
            CompletableFuture<OptionalInt> carried =
                    ShardContext.call(5, () -> CompletableFuture.supplyAsync(ShardContext::current, carrying));
            assertThat(carried.join()).hasValue(5);
            assertThat(CompletableFuture.supplyAsync(ShardContext::current, thread)
                            .join())
                    .isEmpty();
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void aScopeIsNotClosedInAnotherThread() {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (ShardContext.Scope scope = ShardContext.open(5)) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(
                    () -> ShardContext.run(7, () -> {
                        assertThatIllegalStateException()
                                .isThrownBy(scope::close)
                                .withMessageContaining("still open there");
                        assertThat(ShardContext.current()).hasValue(7);
                    }),
                    thread);
            closed.join();
            assertThat(ShardContext.current()).hasValue(5);
        } finally {
            thread.shutdownNow();
        }
        assertThat(ShardContext.current()).isEmpty();
    }
}
