package io.github.shardedid.test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Tasks that may wait for each other, each in a thread of its own. The common pool of a machine with two processors has a single
 * one, and since JDK 25 {@link CompletableFuture} makes no others when it is taken.
 */
public final class OwnThread {
    private static final Executor EXECUTOR = task -> {
        Thread thread = new Thread(task, "own");
        thread.setDaemon(true);
        thread.start();
    };

    private OwnThread() {}

    public static <T> CompletableFuture<T> supply(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, EXECUTOR);
    }

    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, EXECUTOR);
    }
}
