package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.internal.connection.Executions;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.scatter.ShardChunks.Chunk;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a query over several shards.
 *
 * <ol>
 *   <li>It waits until few enough other queries run.
 *   <li>Each database gets a {@link ScatterWorker}, which takes the database's chunks one by one over one
 *       connection. Where the caller's transaction has written, that is the transaction's connection, and the
 *       worker runs on the caller's thread; so does the last worker of the others.
 *   <li>The first failure stops all. What is still executing is cancelled.
 *   <li>The rows stay open until the reader closes the run, and no worker runs any more.
 * </ol>
 *
 * <p>The workers run on several threads, and share what is here: queues, sets and atomic values. Connections
 * are released by the last one to need them, the reader or a worker, since a connection that is still executing
 * must not be in its pool.
 */
final class ScatterRun {
    private static final Logger LOG = LoggerFactory.getLogger(ScatterRun.class);

    final Scatters scatters;
    final ScatterCall call;
    /** Is called once, when the run is closed. */
    private final Consumer<ScatterRun> whenClosed;
    /** The rows of the chunks that were asked, in the order in which they have answered. */
    private final Queue<Part> parts = new ConcurrentLinkedQueue<>();
    /** The connections that were opened for the run. That of the caller's transaction is not among them. */
    final Queue<PhysicalConnection> connections = new ConcurrentLinkedQueue<>();
    /** The statements that {@link #stop} has to cancel. */
    private final Set<Statement> executing = ConcurrentHashMap.newKeySet();
    /** The first failure; null if there is none. */
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    /** The number of rows that are held in memory. */
    private final AtomicLong rows = new AtomicLong();

    private final AtomicBoolean closed = new AtomicBoolean();
    /** Is completed when no worker runs any more. */
    private volatile CompletableFuture<?> work = CompletableFuture.completedFuture(null);

    /** True after the first failure, a cancel or the close: no further chunk is asked. */
    private volatile boolean stopped;

    ScatterRun(Scatters scatters, ScatterCall call, Consumer<ScatterRun> whenClosed) {
        this.scatters = scatters;
        this.call = call;
        this.whenClosed = whenClosed;
    }

    /**
     * The rows of a chunk.
     *
     * @param chunk the shards that were asked
     * @param statement the statement, which is closed with the run
     * @param rows its rows
     * @param utf8 whether the database stores text in UTF-8
     */
    record Part(Chunk chunk, Statement statement, ResultSet rows, boolean utf8) {
        /** Returns the first shard and the database, for messages. */
        String where() {
            return "shard " + chunk.shards().get(0) + " on database " + chunk.database();
        }
    }

    /** Asks all shards. On failure, everything is closed. */
    List<Part> execute(SortedMap<String, Queue<Chunk>> chunks) throws SQLException {
        RoutingListener.Watch watch = scatters.shared.listener().allShards(shards(chunks), chunks.keySet());
        return Executions.watched(watch, () -> execute(chunks, watch));
    }

    private List<Part> execute(SortedMap<String, Queue<Chunk>> chunks, RoutingListener.Watch watch)
            throws SQLException {
        try {
            scatters.enter();
            ask(chunks, watch);
            throwFailure();
            return parts.stream()
                    .sorted(Comparator.comparingInt(part -> part.chunk().number()))
                    .toList();
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static int shards(SortedMap<String, Queue<Chunk>> chunks) {
        return chunks.values().stream()
                .flatMap(Queue::stream)
                .mapToInt(chunk -> chunk.shards().size())
                .sum();
    }

    /**
     * Returns for each database the worker that asks all of its chunks, if it has any. The last ones are those
     * within the transaction, so that they run on the caller's thread.
     */
    private List<ScatterWorker> workers(SortedMap<String, Queue<Chunk>> queues) {
        return queues.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(each -> new ScatterWorker(each.getKey(), this, each.getValue(), call.writerOn(each.getKey())))
                .sorted(Comparator.comparing(ScatterWorker::isWithinTransaction))
                .toList();
    }

    /**
     * Asks all chunks, and returns when that is done or the run has failed; lets the next query run in either
     * case.
     */
    private void ask(SortedMap<String, Queue<Chunk>> chunks, RoutingListener.Watch watch) throws SQLException {
        List<ScatterWorker> workers = workers(chunks);
        List<CompletableFuture<Void>> ends =
                workers.stream().map(worker -> new CompletableFuture<Void>()).toList();
        work = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .whenComplete((nothing, never) -> scatters.leave());
        int others = Math.max(0, workers.size() - Math.max(1, call.writers().size()));
        for (int i = 0; i < workers.size(); i++) {
            ScatterWorker worker = workers.get(i);
            CompletableFuture<Void> end = ends.get(i);
            Executor executor = i < others ? scatters.executor : Runnable::run;
            executor.execute(() -> run(worker, end, watch));
        }
        try {
            work.get();
        } catch (InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
            throw new SQLException("The thread was interrupted while its query over several shards ran.", "57014", e);
        } catch (ExecutionException e) {
            throw new SQLException("A query over several shards failed.", e);
        }
    }

    private void run(ScatterWorker worker, CompletableFuture<Void> end, RoutingListener.Watch watch) {
        try (RoutingListener.Watch part = watch.continued()) {
            worker.run();
        } catch (Error e) {
            fail(new SQLException("A query over several shards failed: " + e, e));
        } finally {
            end.complete(null);
        }
    }

    boolean isStopped() {
        return stopped;
    }

    /** Executes a statement for a chunk, which {@link #stop} cancels. */
    void execute(PreparedStatement statement, Chunk chunk) throws SQLException {
        executing.add(statement);
        try {
            requireNotStopped();
            Executions.watched(
                    scatters.shared.listener().statement(chunk.shards(), chunk.database()), statement::execute);
        } finally {
            executing.remove(statement);
        }
    }

    /**
     * Adds the rows of a chunk.
     *
     * @param count how many are held in memory
     */
    void add(Part part, long count) {
        parts.add(part);
        rows.addAndGet(count);
    }

    long rows() {
        return rows.get();
    }

    /** Stops the run. The first failure counts; what the other workers fail with afterwards is its consequence. */
    void fail(Exception e) {
        if (failure.compareAndSet(null, e)) {
            stop();
        }
    }

    /** Throws the first failure on the caller's thread. */
    private void throwFailure() throws SQLException {
        Exception e = failure.get();
        if (e instanceof SQLException sql) {
            throw sql;
        } else if (e instanceof RuntimeException runtime) {
            throw runtime;
        } else if (e != null) {
            throw new SQLException(e);
        }
        requireNotStopped();
    }

    /** Fails if the query was cancelled. */
    void requireNotStopped() throws SQLException {
        if (stopped) {
            throw new SQLException("The query over several shards was cancelled.", "57014");
        }
    }

    /** Cancels what is running. May be called by any thread. */
    void stop() {
        stopped = true;
        for (Statement statement : executing) {
            try {
                statement.cancel();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A statement could not be cancelled", e);
            }
        }
    }

    /** Releases what was opened, once no worker runs any more. Never fails; may be called again. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            stopped = true;
            whenClosed.accept(this);
            work = work.whenComplete((nothing, never) -> release());
        }
    }

    private static void release(PhysicalConnection connection) {
        try {
            if (connection.isInTransaction()) {
                connection.rollback();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection to database {} could not be rolled back", connection.database(), e);
        }
        connection.release();
    }

    private void release() {
        for (Part part : parts) {
            try {
                part.statement().close();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A statement for {} could not be closed", part.chunk(), e);
            }
        }
        connections.forEach(ScatterRun::release);
    }
}
