package io.github.shardedid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.test.HeldClock;
import io.github.shardedid.test.OwnThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CurrentShardMapTests {
    private static final ShardMap BEFORE = home("pg1", 1);
    private static final ShardMap AFTER = home("pg2", 2);
    private static final Duration HOUR = Duration.ofHours(1);

    private final HeldClock clock = new HeldClock();

    private static ShardMap fenced(ShardOwnership.Standing standing) {
        return new ShardMap(
                2, List.of(new ShardOwnership(0, "pg1", 1, standing), new ShardOwnership(1, "pg1", 1)), Map.of());
    }

    @Test
    void aFenceLastsUntilTheShardIsServedOrFencedInAnotherWay() {
        CurrentShardMap current = new CurrentShardMap(
                inTurn(
                        fenced(ShardOwnership.Standing.FENCED),
                        fenced(ShardOwnership.Standing.FENCED),
                        fenced(ShardOwnership.Standing.FENCING),
                        fenced(ShardOwnership.Standing.SERVING)),
                clock);
        assertThat(current.fencedShards()).containsOnlyKeys(0);
        assertThat(current.fencedShards(HOUR).isEmpty()).isTrue();
        assertThat(current.isFencedFor(0, HOUR)).isFalse();
        clock.advance(HOUR);
        assertThat(current.fencedShards(HOUR).isEmpty()).isFalse();

        current.refreshSince(current.nanoTime());
        assertThat(current.isFencedFor(0, HOUR)).as("still").isTrue();
        assertThat(current.isFencedFor(1, Duration.ZERO)).isFalse();
        assertThat(current.get().isBlocked(0)).isTrue();

        long before = current.nanoTime();
        current.refreshSoon(before);
        await().until(() -> current.isRefreshedSince(before));
        assertThat(current.get().isBlocked(0))
                .as("served, but about to be fenced")
                .isFalse();
        assertThat(current.isFencedFor(0, HOUR)).isFalse();

        current.refreshSince(current.nanoTime());
        assertThat(current.fencedShards()).isEmpty();
    }

    @Test
    void anOldMapTellsNothingOfFences() {
        CurrentShardMap current = new CurrentShardMap(() -> fenced(ShardOwnership.Standing.FENCED), clock);
        assertThat(current.isFencedFor(0, Duration.ZERO)).isTrue();
        clock.advance(Duration.ofSeconds(1));
        assertThat(current.isFencedFor(0, Duration.ZERO)).isFalse();
    }

    @Test
    void loadsTheFirstMapAtOnce() {
        CurrentShardMap current = CurrentShardMap.fixed(BEFORE);

        assertThat(current.get()).isSameAs(BEFORE);
        assertThat(current.version()).isEqualTo(1);
    }

    @Test
    void aFirstMapThatCannotBeLoadedFailsTheConstruction() {
        assertThatThrownBy(() -> new CurrentShardMap(() -> {
                    throw ClusterConfigurationException.Reason.SHARD_OWNERSHIP.of("owned twice");
                }))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP);
    }

    @Test
    void aRefreshReplacesTheMapAndCountsTheVersion() {
        CurrentShardMap current = new CurrentShardMap(inTurn(BEFORE, AFTER));

        assertThat(current.refresh(BEFORE)).isSameAs(AFTER);
        assertThat(current.get().databaseOf(0)).isEqualTo("pg2");
        assertThat(current.version()).isEqualTo(2);
    }

    @Test
    void aRefreshThatFindsNothingNewKeepsTheVersion() {
        CurrentShardMap current = new CurrentShardMap(inTurn(BEFORE, home("pg1", 1), AFTER));

        ShardMap same = current.refresh(BEFORE);
        assertThat(same).isEqualTo(BEFORE).isNotSameAs(BEFORE);
        assertThat(current.version()).isEqualTo(1);

        current.refresh(same);
        assertThat(current.version()).isEqualTo(2);
    }

    @Test
    void whoFoundAnOldMapWantingGetsTheNewOneWithoutAnotherLoad() {
        CurrentShardMap current = new CurrentShardMap(inTurn(BEFORE, AFTER)); // a third load would fail
        current.refresh(BEFORE);

        assertThat(current.refresh(BEFORE)).isSameAs(AFTER);
        assertThat(current.version()).isEqualTo(2);
    }

    @Test
    void aFailedRefreshKeepsTheMapAndLetsTheNextOneTry() {
        AtomicInteger loads = new AtomicInteger();
        CurrentShardMap current = new CurrentShardMap(() -> switch (loads.incrementAndGet()) {
            case 1 -> BEFORE;
            case 2 -> throw ClusterConfigurationException.Reason.SHARD_OWNERSHIP.of("owned twice");
            default -> AFTER;
        });

        assertThatThrownBy(() -> current.refresh(BEFORE))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.SHARD_OWNERSHIP);
        assertThat(current.get()).isSameAs(BEFORE);
        assertThat(current.version()).isEqualTo(1);
        assertThat(current.refresh(BEFORE)).isSameAs(AFTER);
    }

    @Test
    void severalThreadsThatWaitForANewMapCauseOneLoadWhileReadersGoOn() throws Exception {
        AtomicInteger loads = new AtomicInteger();
        CountDownLatch answer = new CountDownLatch(1);
        CurrentShardMap current = new CurrentShardMap(() -> {
            if (loads.incrementAndGet() == 1) {
                return BEFORE;
            }
            awaitUninterrupted(answer);
            return home("pg2", 2);
        });
        int threads = 8;
        List<Thread> waiting = new ArrayList<>();
        ExecutorService executor = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work);
            waiting.add(thread);
            return thread;
        });
        try {
            List<CompletableFuture<ShardMap>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                results.add(CompletableFuture.supplyAsync(() -> current.refresh(BEFORE), executor));
            }
            // All eight stand still: one in the source, the others before the lock.
            await().until(() -> waiting.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
            assertThat(current.get()).as("a reader does not wait").isSameAs(BEFORE);
            answer.countDown();

            for (CompletableFuture<ShardMap> result : results) {
                assertThat(result.get(3, TimeUnit.MINUTES)).isSameAs(current.get());
            }
            assertThat(loads).hasValue(2);
            assertThat(current.version()).isEqualTo(2);
        } finally {
            answer.countDown();
            executor.shutdownNow();
        }
    }

    @Test
    void aMapThatIsNewEnoughIsNotAskedForAgain() {
        AtomicInteger loads = new AtomicInteger();
        CurrentShardMap current = new CurrentShardMap(() -> loads.incrementAndGet() == 1 ? BEFORE : AFTER);
        long now = System.nanoTime();

        assertThat(current.refreshSince(now)).isSameAs(AFTER);
        assertThat(current.refreshSince(now)).isSameAs(AFTER);
        assertThat(loads).hasValue(2);
        assertThat(current.isUnchangedSince(0, now)).isFalse();
        assertThat(current.isUnchangedSince(0, System.nanoTime())).isTrue();
        assertThat(current.isUnchangedSince(1, now)).isTrue();
    }

    @Test
    void aRefreshThatFailsIsToldAndKeepsTheMap() {
        AtomicInteger loads = new AtomicInteger();
        CurrentShardMap current = new CurrentShardMap(() -> {
            if (loads.incrementAndGet() == 2) {
                throw ClusterConfigurationException.Reason.SHARD_OWNERSHIP.of("owned twice");
            }
            return BEFORE;
        });
        assertThat(current.refreshSince(System.nanoTime())).isSameAs(BEFORE);
        assertThat(current.lastFailure()).isEqualTo("owned twice");
        assertThat(current.failedRefreshes()).isEqualTo(1);
        current.refreshSince(System.nanoTime());
        assertThat(current.lastFailure()).isNull();
        assertThat(current.version()).isEqualTo(1);
    }

    @Test
    void whoeverWaitsLearnsOfTheNextMap() throws Exception {
        CurrentShardMap current = new CurrentShardMap(inTurn(BEFORE, AFTER));
        assertThat(current.awaitChange(1, 1)).isFalse();
        CompletableFuture<Boolean> waiting = OwnThread.supply(() -> {
            try {
                return current.awaitChange(1, TimeUnit.MINUTES.toNanos(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        current.refresh(BEFORE);
        assertThat(waiting.get(3, TimeUnit.MINUTES)).isTrue();
        assertThat(current.awaitChange(1, 0)).as("at once").isTrue();
        assertThat(current.get()).isEqualTo(AFTER);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ShardMapSource inTurn(ShardMap... maps) {
        AtomicInteger next = new AtomicInteger();
        return () -> maps[next.getAndIncrement()];
    }

    private static ShardMap home(String database, long generation) {
        return new ShardMap(1, List.of(new ShardOwnership(0, database, generation)), Map.of());
    }
}
