package io.github.shardedid.benchmarks.move;

import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Threads that write to the shard that moves and to the others, one row per transaction, and note how long it took. */
final class MovedLoad implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int ENOUGH = 200;
    private static final int BUCKETS = 16;

    private final RoutingDataSource dataSource;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong longestMoved = new AtomicLong();
    private final AtomicLong longestOther = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLongArray moved = new AtomicLongArray(BUCKETS);
    private final AtomicLongArray others = new AtomicLongArray(BUCKETS);
    private volatile boolean stopped;

    MovedLoad(MovedShard shard) {
        dataSource = shard.application();
        for (int i = 0; i < THREADS; i++) {
            int first = i;
            Thread thread = new Thread(() -> work(first), "load-" + i);
            thread.start();
            threads.add(thread);
        }
    }

    /** Half of the writes go to the shard that moves. */
    private void work(int first) {
        for (int turn = first; !stopped; turn++) {
            int shard = turn % 2 == 0 ? 0 : 1 + turn / 2 % (MovedShard.SHARDS - 1);
            long start = System.nanoTime();
            try (ShardContext.Scope scope = ShardContext.open(shard);
                    Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO "
                        + RoutingDataSource.SCHEMA_PLACEHOLDER + ".photo (user_id, caption) VALUES (?, ?)")) {
                    insert.setLong(1, turn);
                    insert.setString(2, "under load");
                    insert.executeUpdate();
                }
                connection.commit();
            } catch (SQLException e) {
                failures.incrementAndGet();
            }
            note(shard == 0, (System.nanoTime() - start) / 1_000_000);
        }
    }

    private void note(boolean moving, long millis) {
        (moving ? longestMoved : longestOther).accumulateAndGet(millis, Math::max);
        int bucket = Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(millis));
        (moving ? moved : others).incrementAndGet(bucket);
        writes.incrementAndGet();
    }

    /** Until some more have been written. */
    void awaitWrites() throws InterruptedException {
        long enough = writes.get() + ENOUGH;
        while (writes.get() < enough) {
            Thread.sleep(1);
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    long writes() {
        return writes.get();
    }

    long longest(boolean moving) {
        return (moving ? longestMoved : longestOther).get();
    }

    int failures() {
        return failures.get();
    }

    /** How many writes took less than each power of two of milliseconds. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BUCKETS; i++) {
            text.append("< ")
                    .append(1L << i)
                    .append(" ms: ")
                    .append(moved.get(i))
                    .append(", others ");
            text.append(others.get(i)).append('\n');
        }
        return text.toString();
    }

    @Override
    public void close() throws InterruptedException {
        stop();
    }
}
