package io.github.shardedid.provisioning.internal.parallel;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The first of several tasks that succeeds, or the last if all of them fail. */
final class FirstAnswer {
    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger running;

    FirstAnswer(int tasks) {
        this.running = new AtomicInteger(tasks);
        if (tasks == 0) {
            answered.countDown();
        }
    }

    /** Runs one of the tasks. */
    <T> T reporting(Callable<T> task) throws Exception {
        try {
            T result = task.call();
            answered.countDown();
            return result;
        } finally {
            if (running.decrementAndGet() == 0) {
                answered.countDown();
            }
        }
    }

    /** Waits for it; the instant until which the others are waited for. Instants are of {@code nanoTime}. */
    long await(long start, Duration wait, Duration after) {
        long end = start + wait.toNanos();
        try {
            boolean unused = answered.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Math.min(end - start, System.nanoTime() - start + after.toNanos()) + start;
    }
}
