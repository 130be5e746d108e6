package io.github.shardedid.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the threads of a worker until its {@link Lifeline} ends. What databases refuse is counted, logged once, and survived. */
final class WorkerLoop {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Lifeline lifeline;
    private final List<Thread> threads = new ArrayList<>();

    WorkerLoop(Lifeline lifeline) {
        this.lifeline = lifeline;
    }

    /** One piece of work, which may fail in the database. */
    @FunctionalInterface
    interface Step {
        void run(Random random) throws SQLException, IOException;
    }

    void add(String name, long seed, Step step) {
        threads.add(new Thread(() -> loop(new Random(seed), step), name));
    }

    void run() throws InterruptedException {
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void loop(Random random, Step step) {
        Map<String, Integer> failures = new TreeMap<>();
        while (!lifeline.ended()) {
            try {
                step.run(random);
            } catch (SQLException e) {
                String what = e.getSQLState() + " " + e.getClass().getSimpleName();
                if (failures.merge(what, 1, Integer::sum) == 1) {
                    LOG.info("First failure of this kind, {}: {}", what, e.getMessage());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_PAUSE));
        }
        LOG.info("Failures: {}", failures);
    }
}
