package io.github.shardedid.example.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write until they are stopped or the maximum time is over. Each client has a schedule. The duration of a write is measured
 * from its scheduled time, so a client that waits does not hide a pause.
 */
final class LoadRun {
    private static final int WATCHERS = 2;
    private static final long WATCHERS_INTERVAL = TimeUnit.MILLISECONDS.toNanos(20);

    private final LoadClient client;
    private final LoadFigures figures = new LoadFigures();
    private final List<Thread> threads = new ArrayList<>();
    private final long end;
    private volatile boolean stopped;
    private volatile @Nullable Watch watch;

    LoadRun(LoadClient client, int shards, int clients, int perSecond, long seconds) {
        this.client = client;
        this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long interval = TimeUnit.SECONDS.toNanos(clients) / perSecond;
        for (int number = 0; number < clients; number++) {
            start(
                    "load-" + number,
                    interval,
                    () -> write(ThreadLocalRandom.current().nextInt(shards), null));
        }
        for (int number = 0; number < WATCHERS; number++) {
            start("load-watch-" + number, WATCHERS_INTERVAL, this::writeWatched);
        }
    }

    /** A write of a client. */
    private interface Write {
        /** Returns the outcome; null if there was nothing to write. */
        @Nullable
        Outcome run() throws InterruptedException;
    }

    private record Outcome(@Nullable String failure, @Nullable Watch watch) {}

    private void start(String name, long interval, Write write) {
        Thread thread = new Thread(() -> work(interval, write), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void work(long interval, Write write) {
        long due = System.nanoTime() + ThreadLocalRandom.current().nextLong(interval);
        try {
            while (running()) {
                LockSupport.parkNanos(due - System.nanoTime());
                if (System.nanoTime() < due) {
                    continue;
                }
                Outcome outcome = write.run();
                long now = System.nanoTime();
                if (outcome == null) {
                    due = now + interval;
                } else {
                    note(outcome, TimeUnit.NANOSECONDS.toMicros(now - due));
                    due = Math.max(due + interval, now - TimeUnit.SECONDS.toNanos(1));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void note(Outcome outcome, long micros) {
        figures.add(micros, outcome.failure());
        if (outcome.watch() != null) {
            outcome.watch().add(micros, outcome.failure() == null);
        }
    }

    private Outcome write(int shard, @Nullable Watch watching) throws InterruptedException {
        return new Outcome(client.write(shard), watching);
    }

    private @Nullable Outcome writeWatched() throws InterruptedException {
        Watch now = watch;
        return now == null ? null : write(now.shard(), now);
    }

    boolean running() {
        return !stopped && System.nanoTime() < end;
    }

    void stop() {
        stopped = true;
        threads.forEach(LockSupport::unpark);
    }

    /** Lets two more clients write to one shard; null stops them. */
    void watch(@Nullable Integer shard) {
        watch = shard == null ? null : new Watch(shard);
    }

    Watch.@Nullable Seen watched() {
        Watch now = watch;
        return now == null ? null : now.seen();
    }

    LoadFigures.Seen seen() {
        return figures.seen();
    }
}
