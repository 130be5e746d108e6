package io.github.shardedid.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of three parts, preference 0 begins with part 0, 1 with part 1, 2 with part 2, 3 with part 0. */
@Timeout(60)
class PartQueueTests {
    private static final int[] THREE = {1, 1, 1};
    private static final long LONG = Duration.ofMinutes(1).toNanos();

    /** A caller that does not come back before it has a connection. */
    private record Caller(Thread thread, CompletableFuture<Integer> part) {
        static Caller waiting(PartQueue queue, int preference) {
            int before = queue.waiting();
            CompletableFuture<Integer> part = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    part.complete(queue.take(preference, false, LONG));
                } catch (InterruptedException e) {
                    part.completeExceptionally(e);
                }
            });
            thread.start();
            await().until(() -> queue.waiting() > before);
            return new Caller(thread, part);
        }
    }

    private static PartQueue allInUse(PartQueue queue) throws InterruptedException {
        for (int part = 0; part < THREE.length; part++) {
            assertThat(queue.take(part, false, 0)).isEqualTo(part);
        }
        return queue;
    }

    @Test
    void aCallerGetsItsPartWhileItIsIdleAndAnotherOneIfItStaysInUse() throws Exception {
        PartQueue queue = new PartQueue(THREE);
        assertThat(queue.take(1, false, 0)).isEqualTo(1);
        assertThat(queue.take(4, false, LONG)).isIn(0, 2);
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void aCallerWaitsForItsPartWhileOthersAreIdle() throws Exception {
        PartQueue patient = new PartQueue(THREE, LONG, LONG);
        assertThat(patient.take(1, false, 0)).isEqualTo(1);
        Caller caller = Caller.waiting(patient, 4);
        patient.giveBack(1, LONG);
        assertThat(caller.part().join()).isEqualTo(1);
    }

    @Test
    void whatHasNoPartWaitsForNone() throws Exception {
        PartQueue queue = new PartQueue(THREE, LONG, LONG);
        assertThat(queue.take(5, true, 0)).isEqualTo(2);
        assertThat(queue.take(5, true, LONG)).isIn(0, 1);
    }

    @Test
    void aShardThatUsesItsPartAlreadyUsesOthersAtOnce() throws Exception {
        PartQueue queue = new PartQueue(THREE, LONG, LONG);
        assertThat(queue.take(0, false, 0)).isZero();
        assertThat(queue.take(0, false, LONG)).isEqualTo(1);
        assertThat(queue.take(0, false, LONG)).isEqualTo(2);
        assertThat(queue.take(0, false, 0)).isEqualTo(PartQueue.NONE);
    }

    @Test
    void whatIsGivenBackGoesToTheFirstCallerOfItsPart() throws Exception {
        PartQueue queue = allInUse(new PartQueue(THREE, LONG, LONG));
        Caller ofZero = Caller.waiting(queue, 3);
        Caller ofTwo = Caller.waiting(queue, 5);
        Caller alsoOfTwo = Caller.waiting(queue, 8);
        queue.giveBack(2, LONG);
        assertThat(ofTwo.part().join()).isEqualTo(2);
        queue.giveBack(0, LONG);
        assertThat(ofZero.part().join()).isZero();
        assertThat(alsoOfTwo.part()).isNotDone();
        queue.giveBack(2, LONG);
        assertThat(alsoOfTwo.part().join()).isEqualTo(2);
    }

    @Test
    void callersOfAnotherPartDoNotPrecedeOneThatWaitsForLong() throws Exception {
        PartQueue queue = allInUse(new PartQueue(THREE));
        Caller ofZero = Caller.waiting(queue, 3);
        for (int preference = 4; !ofZero.part().isDone(); preference += 3) {
            Caller ofOne = Caller.waiting(queue, preference);
            queue.giveBack(1, 1);
            CompletableFuture.anyOf(ofZero.part(), ofOne.part()).get();
            if (!ofOne.part().isDone()) {
                queue.giveBack(1, 1);
            }
            assertThat(ofOne.part().join()).isEqualTo(1);
        }
        assertThat(ofZero.part().join()).isEqualTo(1);
    }

    @Test
    void whoIsInterruptedKeepsNothing() throws Exception {
        PartQueue queue = new PartQueue(new int[] {1});
        assertThat(queue.take(0, true, 0)).isZero();
        Caller interrupted = Caller.waiting(queue, 1);
        interrupted.thread().interrupt();
        assertThatThrownBy(interrupted.part()::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        queue.giveBack(0, 1);
        assertThat(queue.waiting()).isZero();
        assertThat(queue.take(2, false, 0)).isZero();
    }
}
