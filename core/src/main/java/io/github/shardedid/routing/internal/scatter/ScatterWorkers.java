package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The workers of one execution of a query over several shards: one for each database, and as many more as help. */
final class ScatterWorkers {
    private final ScatterRun run;
    private final Scatters scatters;
    private final ScatterCall call;
    private final RoutingListener.Watch watch;
    /** Those that the query waits for. */
    private final AtomicInteger asking = new AtomicInteger();

    private final CountDownLatch asked = new CountDownLatch(1);

    ScatterWorkers(ScatterRun run, Scatters scatters, ScatterCall call, RoutingListener.Watch watch) {
        this.watch = watch;
        this.run = run;
        this.scatters = scatters;
        this.call = call;
    }

    /** For each database the worker that asks all of its chunks, if need be; the last ones are those within the transaction. */
    private List<ScatterWorker> workers(SortedMap<String, Queue<ShardChunks.Chunk>> queues) {
        List<ScatterWorker> workers = new ArrayList<>();
        List<ScatterWorker> within = new ArrayList<>();
        for (Map.Entry<String, Queue<ShardChunks.Chunk>> each : queues.entrySet()) {
            Queue<ShardChunks.Chunk> queue = each.getValue();
            PhysicalConnection writer = queue.isEmpty() ? null : call.writerOn(each.getKey());
            ScatterWorker worker = new ScatterWorker(each.getKey(), run, scatters, call, queue, writer, this::help);
            if (writer != null) {
                within.add(worker);
            } else if (!queue.isEmpty()) {
                workers.add(worker);
            }
        }
        workers.addAll(within);
        return workers;
    }

    /**
     * Returns when all chunks have been asked or the run has failed; lets the next query run in either case. The last worker, and those
     * within the transaction, run on this thread.
     */
    void ask(SortedMap<String, Queue<ShardChunks.Chunk>> chunks) throws SQLException {
        List<ScatterWorker> workers = workers(chunks);
        if (workers.isEmpty()) {
            scatters.leave();
            return;
        }
        asking.set(workers.size());
        workers.forEach(worker -> run.hold());
        List<Runnable> work =
                workers.stream().map(worker -> once(ending(worker))).toList();
        work.stream().limit(work.size() - Math.max(1L, call.writers().size())).forEach(scatters::run);
        // The others too, as far as no thread has begun them: the executor's may all be busy, or wait for this very
        // one.
        for (int i = work.size() - 1; i >= 0; i--) {
            work.get(i).run();
        }
        try {
            asked.await();
        } catch (InterruptedException e) {
            run.stop();
            Thread.currentThread().interrupt();
            throw new SQLException("The thread was interrupted while its query over several shards ran.", "57014", e);
        }
    }

    /**
     * More workers for the chunks of a worker that has its connection. Nothing waits for one before it has a connection: a pool that has
     * none left makes a query slower, never fail, as long as it has one.
     */
    void help(ScatterWorker worker) {
        for (int i = 1; i < worker.connections(); i++) {
            ScatterWorker helper = worker.another();
            scatters.runElsewhere(() -> {
                if (helper.isReady(this)) {
                    ending(helper).run();
                }
            });
        }
    }

    /** Whether a worker may still begin; if so, it counts as one of those that are waited for. */
    boolean joins() {
        if (!run.hold()) {
            return false;
        }
        boolean joins = asking.updateAndGet(n -> n == 0 ? 0 : n + 1) > 0;
        if (!joins) {
            run.release();
        }
        return joins;
    }

    private static Runnable once(Runnable work) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (begun.compareAndSet(false, true)) {
                work.run();
            }
        };
    }

    private Runnable ending(ScatterWorker worker) {
        return () -> {
            try (RoutingListener.Watch part = watch.continued()) {
                worker.run();
            } catch (Error e) {
                run.fail(new SQLException("A query over several shards failed: " + e, e));
            } finally {
                boolean last = asking.decrementAndGet() == 0;
                if (last) {
                    scatters.leave();
                }
                run.release();
                if (last) {
                    asked.countDown();
                }
            }
        };
    }
}
