package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.RoutingListener;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The lanes of one execution of a query over several shards: one for each database, and as many more as help. */
final class ScatterLanes {
    private final ScatterRun run;
    private final Scatters scatters;
    private final ScatterCall call;
    private final RoutingListener.Watch watch;
    /** Those that the query waits for. */
    private final AtomicInteger asking = new AtomicInteger();

    private final CountDownLatch asked = new CountDownLatch(1);

    ScatterLanes(ScatterRun run, Scatters scatters, ScatterCall call, RoutingListener.Watch watch) {
        this.watch = watch;
        this.run = run;
        this.scatters = scatters;
        this.call = call;
    }

    /** Returns when all chunks have been asked or the run has failed; gives the turn back in either case. */
    void ask(SortedMap<String, Queue<ShardChunks.Chunk>> chunks) throws SQLException {
        run(lanes(chunks));
    }

    /** For each database the lane that asks all of its chunks, if need be; the last one is the one within the transaction. */
    private List<ScatterLane> lanes(SortedMap<String, Queue<ShardChunks.Chunk>> queues) {
        List<ScatterLane> lanes = new ArrayList<>();
        ScatterLane within = null;
        for (Map.Entry<String, Queue<ShardChunks.Chunk>> each : queues.entrySet()) {
            Queue<ShardChunks.Chunk> queue = each.getValue();
            PhysicalConnection writer = queue.isEmpty() ? null : call.writerOn(each.getKey());
            ScatterLane lane = new ScatterLane(each.getKey(), run, scatters, call, queue, writer, this::help);
            if (writer != null) {
                within = lane;
            } else if (!queue.isEmpty()) {
                lanes.add(lane);
            }
        }
        if (within != null) {
            lanes.add(within);
        }
        return lanes;
    }

    /** The last one runs on this thread. */
    private void run(List<ScatterLane> lanes) throws SQLException {
        if (lanes.isEmpty()) {
            scatters.leave();
            return;
        }
        asking.set(lanes.size());
        lanes.forEach(lane -> run.hold());
        List<Runnable> work = lanes.stream().map(lane -> once(ending(lane))).toList();
        work.stream().limit(work.size() - 1L).forEach(scatters::run);
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
     * More lanes for the chunks of a lane that has its connection. Nothing waits for one before it has a connection: a pool that has
     * none left makes a query slower, never fail, as long as it has one.
     */
    void help(ScatterLane lane) {
        for (int i = 1; i < lane.connections(); i++) {
            ScatterLane helper = lane.another();
            scatters.runElsewhere(() -> {
                if (helper.isReady(this)) {
                    ending(helper).run();
                }
            });
        }
    }

    /** Whether a lane may still begin; if so, it counts as one of those that are waited for. */
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

    private Runnable ending(ScatterLane lane) {
        return () -> {
            try (RoutingListener.Watch part = watch.continued()) {
                lane.run();
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
