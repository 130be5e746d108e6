package io.github.shardedid.benchmarks.move;

import io.github.shardedid.benchmarks.measure.Latencies;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that write to the moving shard and to the others, one row per transaction, and record the latency. */
final class MovedLoad implements AutoCloseable {
    static final int THREADS = 4;
    private static final int ENOUGH = 200;

    private final RoutingDataSource dataSource;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Latencies toMoving = new Latencies();
    private volatile Latencies toOthers = new Latencies();
    private volatile boolean stopped;

    /** Writes until it is stopped; shard 0 is the one that moves. */
    MovedLoad(RoutingDataSource application) {
        dataSource = application;
        for (int i = 0; i < THREADS; i++) {
            int first = i;
            Thread thread = new Thread(() -> work(first), "load-" + i);
            thread.start();
            threads.add(thread);
        }
    }

    /** Half of the writes go to the shard that moves. */
    private void work(int first) {
        for (int number = first; !stopped; number++) {
            int shard = number % 2 == 0 ? 0 : 1 + number / 2 % (MovedShard.SHARDS - 1);
            long start = System.nanoTime();
            try (ShardContext.Scope scope = ShardContext.open(shard);
                    Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO "
                        + RoutingDataSource.SCHEMA_PLACEHOLDER + ".photo (user_id, caption) VALUES (?, ?)")) {
                    insert.setLong(1, number);
                    insert.setString(2, "under load");
                    insert.executeUpdate();
                }
                connection.commit();
            } catch (SQLException e) {
                failures.incrementAndGet();
            }
            (shard == 0 ? toMoving : toOthers).add(System.nanoTime() - start);
            writes.incrementAndGet();
        }
    }

    /** Until some more have been written. */
    void awaitWrites() throws InterruptedException {
        awaitWrites(ENOUGH);
    }

    /** Until so many more have been written. */
    void awaitWrites(int more) throws InterruptedException {
        long enough = writes.get() + more;
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

    /** Discards the recorded latencies. */
    void reset() {
        toMoving = new Latencies();
        toOthers = new Latencies();
    }

    /** Writes to the shard that moves. */
    Latencies toMoving() {
        return toMoving;
    }

    /** Writes to the other shards. */
    Latencies toOthers() {
        return toOthers;
    }

    int failures() {
        return failures.get();
    }

    @Override
    public void close() throws InterruptedException {
        stop();
    }
}
