package io.github.shardedid.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients that do the same at the same time. A call that fails fails the measurement. */
public final class Clients implements AutoCloseable {
    /** From JDK 21 on. */
    public static final boolean HAVE_VIRTUAL_THREADS = Runtime.version().feature() >= 21;

    private final int count;
    private final ExecutorService threads;

    /** So many threads. */
    public Clients(int count) {
        this(count, Executors.newFixedThreadPool(count));
    }

    private Clients(int count, ExecutorService threads) {
        this.count = count;
        this.threads = threads;
    }

    /** So many virtual threads, of which newer JDKs have some. */
    public static Clients virtual(int count) throws ReflectiveOperationException {
        return new Clients(count, (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
    }

    /** The microseconds that a call takes of all clients' time together, from the moment that all of them are there. */
    public double micros(int calls, Runnable call) throws Exception {
        CyclicBarrier start = new CyclicBarrier(count + 1);
        int callsOfEach = Math.max(1, calls / count);
        List<Future<?>> running = new ArrayList<>();
        for (int client = 0; client < count; client++) {
            running.add(threads.submit(() -> {
                start.await();
                for (int i = 0; i < callsOfEach; i++) {
                    call.run();
                }
                return null;
            }));
        }
        start.await();
        long began = System.nanoTime();
        for (Future<?> each : running) {
            each.get();
        }
        return (System.nanoTime() - began) / 1e3 / callsOfEach / count;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
