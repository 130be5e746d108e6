package io.github.shardedid.benchmarks.nextid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Concurrent clients that generate ids, each with its own connection. */
final class IdClients {
    private static final int WARM_UPS = 10;
    /** The number of ids that each client keeps to detect duplicates. */
    private static final int KEPT = 50_000;

    private final int count;
    private final long nanos;

    IdClients(int count, long millis) {
        this.count = count;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** One of them. */
    interface Client extends AutoCloseable {
        /** Does it once, and returns a number of the id that was made. */
        long call() throws Exception;
    }

    /** Connects a client, whose number is 0 or more. */
    @FunctionalInterface
    interface Opening {
        Client open(int number) throws Exception;
    }

    /** The time per call over all clients, in microseconds, from the moment that all are connected. */
    double micros(boolean unique, Opening opening) throws Exception {
        CyclicBarrier start = new CyclicBarrier(count);
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Callable<Made>> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                clients.add(() -> run(number, opening, start));
            }
            List<Made> made = new ArrayList<>();
            for (Future<Made> client : threads.invokeAll(clients)) {
                made.add(client.get());
            }
            if (unique) {
                refuseDoubles(made);
            }
            return made.stream().mapToLong(client -> client.nanos).average().orElse(0)
                    / 1000
                    / made.stream().mapToLong(client -> client.calls).sum();
        } finally {
            threads.shutdownNow();
        }
    }

    private Made run(int number, Opening opening, CyclicBarrier start) throws Exception {
        long[] ids = new long[KEPT];
        long calls = 0;
        try (Client client = opening.open(number)) {
            for (int i = 0; i < WARM_UPS; i++) {
                ids[i] = client.call();
            }
            start.await();
            long begin = System.nanoTime();
            long now = begin;
            for (; now - begin < nanos; now = System.nanoTime()) {
                long id = client.call();
                calls++;
                if (calls < KEPT - WARM_UPS) {
                    ids[WARM_UPS + (int) calls - 1] = id;
                }
            }
            return new Made(
                    calls, now - begin, Arrays.copyOf(ids, WARM_UPS + (int) Math.min(calls, KEPT - WARM_UPS - 1)));
        }
    }

    private static void refuseDoubles(List<Made> made) {
        long all = made.stream().mapToLong(client -> client.ids.length).sum();
        long different = made.stream()
                .flatMapToLong(client -> LongStream.of(client.ids))
                .distinct()
                .count();
        if (different != all) {
            throw new IllegalStateException((all - different) + " of " + all + " ids came twice");
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Made(long calls, long nanos, long[] ids) {}
}
