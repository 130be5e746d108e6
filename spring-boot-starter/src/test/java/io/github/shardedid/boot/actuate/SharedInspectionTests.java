package io.github.shardedid.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.actuate.ShardInspections.SharedInspection;
import io.github.shardedid.test.OwnThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedInspectionTests {
    private final AtomicInteger inspections = new AtomicInteger();

    @Test
    void allWhoAskGetTheResultOfOneInspection() {
        CountDownLatch gate = new CountDownLatch(1);
        SharedInspection<Integer> shared = new SharedInspection<>(Duration.ofDays(1), () -> {
            int number = inspections.incrementAndGet();
            await().until(() -> gate.getCount() == 0);
            return number;
        });
        List<CompletableFuture<Integer>> answers =
                Stream.generate(() -> OwnThread.supply(shared::get)).limit(8).toList();
        await().until(() -> inspections.get() > 0);
        gate.countDown();

        assertThat(answers).allMatch(answer -> answer.join() == 1);
        assertThat(shared.get()).isEqualTo(1);
        assertThat(inspections).hasValue(1);
    }

    @Test
    void aFailureIsKeptToo() {
        SharedInspection<Integer> failing = new SharedInspection<>(Duration.ofDays(1), () -> {
            throw new IllegalStateException("failed " + inspections.incrementAndGet());
        });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(failing::get).hasMessage("failed 1");
        }
    }

    @Test
    void whatIsTooOldIsInspectedAgain() {
        SharedInspection<Integer> shared = new SharedInspection<>(Duration.ZERO, inspections::incrementAndGet);
        assertThat(List.of(shared.get(), shared.get())).containsExactly(1, 2);
    }
}
