package io.github.shardedid.jobs;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardMovedException;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.UnownedShardException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Does the work of a job in some threads. For one call. */
final class JobThreads {
    /** A shard that has moved while its transaction was open is tried again, also if it moves back. */
    private static final int ATTEMPTS = 3;

    private final JobRecords records;
    private final IntConsumer work;
    private final Progress progress;
    private final Map<Integer, Throwable> failures = new ConcurrentHashMap<>();
    private final AtomicInteger done = new AtomicInteger();
    private volatile @Nullable Throwable end;

    /** Is notified of shards. */
    @FunctionalInterface
    interface Progress {
        void report(int done, int failed);
    }

    /** The last one is called when a shard has been completed or has failed. */
    JobThreads(JobRecords records, IntConsumer work, Progress progress) {
        this.records = records;
        this.work = work;
        this.progress = progress;
    }

    /** Goes through the shards, and returns when no work is being done any more. */
    void run(String name, List<Integer> shards, int threads) {
        Queue<Integer> left = new ConcurrentLinkedQueue<>(shards);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, shards.size()); i++) {
            Thread worker = new Thread(() -> workOn(left), name);
            worker.setDaemon(true);
            workers.add(worker);
        }
        try {
            workers.forEach(Thread::start);
        } catch (OutOfMemoryError e) {
            end = e; // no more threads
        }
        boolean interrupted = false;
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    end = e;
                    workers.forEach(Thread::interrupt);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing that is thrown may end a thread in silence: its shard would be left out. */
    private void workOn(Queue<Integer> left) {
        for (Integer shard = left.poll(); shard != null && end == null; shard = left.poll()) {
            try {
                records.requireLock();
                if (isDone(shard)) {
                    records.done(shard);
                    done.incrementAndGet();
                }
                progress.report(done.get(), failures.size());
            } catch (Throwable e) {
                end = e;
            }
        }
    }

    /** The work may throw checked exceptions, too: Kotlin declares none. */
    private boolean isDone(int shard) {
        for (int attempt = 1; ; attempt++) {
            try {
                ShardContext.run(shard, () -> work.accept(shard));
                return true;
            } catch (Throwable e) {
                if (attempt == ATTEMPTS || !hasMoved(e)) {
                    failures.put(shard, e);
                    return false;
                }
            }
        }
    }

    private static boolean hasMoved(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(100)
                .anyMatch(ShardMovedException.class::isInstance);
    }

    /** The failures of shards. */
    Map<Integer, Throwable> failures() {
        return failures;
    }

    /** Returns the number of completed shards. */
    int done() {
        return done.get();
    }

    /** Returns what ended the job before its last shard; null if nothing did. */
    @Nullable
    Throwable end() {
        return end;
    }

    /** The shards that are not done; those whose database is unknown are last. */
    static List<Integer> order(ShardMap map, BitSet done) {
        Map<String, Deque<Integer>> byDatabase = new LinkedHashMap<>();
        List<Integer> unowned = new ArrayList<>();
        for (int shard = done.nextClearBit(0); shard < map.shardCount(); shard = done.nextClearBit(shard + 1)) {
            try {
                byDatabase
                        .computeIfAbsent(map.databaseOf(shard), name -> new ArrayDeque<>())
                        .add(shard);
            } catch (UnownedShardException e) {
                unowned.add(shard); // its work fails, and says why
            }
        }
        List<Integer> order = new ArrayList<>();
        while (!byDatabase.isEmpty()) {
            byDatabase.values().forEach(shards -> order.add(shards.remove()));
            byDatabase.values().removeIf(Deque::isEmpty);
        }
        order.addAll(unowned);
        return order;
    }
}
