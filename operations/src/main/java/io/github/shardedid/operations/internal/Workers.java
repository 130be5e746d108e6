package io.github.shardedid.operations.internal;

import io.github.shardedid.ShardedIdException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Threads of provisioning and moves: daemons, so that none keeps a process alive. */
public final class Workers {
    private Workers() {}

    /** Creates a thread that is not started yet. */
    public static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Creates an executor with up to so many threads of the same name; the caller shuts it down. */
    public static ExecutorService start(String name, int threads) {
        return Executors.newFixedThreadPool(Math.max(1, threads), work -> thread(name, work));
    }

    /** Interrupts the work of executors, and waits for its end for 10 seconds each. */
    public static void stop(ExecutorService... executors) {
        try {
            for (ExecutorService each : executors) {
                each.shutdownNow();
                boolean unused = each.awaitTermination(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does something, or throws. */
    @FunctionalInterface
    public interface Check<E extends Exception> {
        /** Throws if something is wrong. */
        void run() throws E;
    }

    /** Runs all, and throws the first failure, with the others suppressed in it. */
    public static <E extends Exception> void runAll(List<Check<E>> checks) throws E {
        List<Throwable> failures = new ArrayList<>();
        for (Check<E> check : checks) {
            try {
                check.run();
            } catch (ShardedIdException e) {
                failures.add(e);
            }
        }
        throwFirst(failures);
    }

    /** Throws the first of these, with the others suppressed in it; does nothing if there is none. */
    public static void throwFirst(Collection<Throwable> failures) {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.iterator().next();
        failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw first instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(first);
    }
}
