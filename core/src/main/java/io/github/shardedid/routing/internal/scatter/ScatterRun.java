package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.connection.Executions;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of a query over several shards: workers, each with one connection, take the chunks of their database one by
 * one. What they open stays open until the run is closed; it is closed when both the run is closed and all workers have
 * ended, so that a worker that nobody waits for any more leaves nothing behind.
 */
final class ScatterRun {
    private static final Logger LOG = LoggerFactory.getLogger(ScatterRun.class);

    private final Scatters scatters;
    private final ScatterCall call;
    private final Consumer<ScatterRun> whenClosed;
    private final Queue<Part> parts = new ConcurrentLinkedQueue<>();
    private final Queue<PhysicalConnection> connections = new ConcurrentLinkedQueue<>();
    private final Set<Statement> executing = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final AtomicLong rows = new AtomicLong();
    /** Those that hold it open: the reader, and the workers. */
    private final AtomicInteger holders = new AtomicInteger(1);

    private final AtomicBoolean readerGone = new AtomicBoolean();
    private volatile boolean stopped;

    ScatterRun(Scatters scatters, ScatterCall call, Consumer<ScatterRun> whenClosed) {
        this.scatters = scatters;
        this.call = call;
        this.whenClosed = whenClosed;
    }

    /** The rows of a chunk, and whether their database stores text in UTF-8. */
    record Part(ShardChunks.Chunk chunk, Statement statement, ResultSet rows, boolean utf8) {
        String where() {
            return "shard " + chunk.shards().get(0) + " on database " + chunk.database();
        }
    }

    /** Asks all shards. On failure, everything is closed. */
    List<Part> execute(SortedMap<String, Queue<ShardChunks.Chunk>> chunks) throws SQLException {
        RoutingListener.Watch watch = scatters.executions().begin(shards(chunks), chunks.keySet());
        return Executions.watched(watch, () -> execute(chunks, watch));
    }

    private List<Part> execute(SortedMap<String, Queue<ShardChunks.Chunk>> chunks, RoutingListener.Watch watch)
            throws SQLException {
        try {
            scatters.enter();
            new ScatterWorkers(this, scatters, call, watch).ask(chunks);
            throwFailure();
            return parts.stream()
                    .sorted(Comparator.comparingInt(part -> part.chunk().number()))
                    .toList();
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static int shards(SortedMap<String, Queue<ShardChunks.Chunk>> chunks) {
        return chunks.values().stream()
                .flatMap(Queue::stream)
                .mapToInt(chunk -> chunk.shards().size())
                .sum();
    }

    /** Keeps open what the run opens until {@link #release}; false if that is over. */
    boolean hold() {
        return holders.updateAndGet(n -> n == 0 ? 0 : n + 1) > 0;
    }

    boolean isStopped() {
        return stopped;
    }

    void opened(PhysicalConnection connection) {
        connections.add(connection);
    }

    /** Executes a statement, which {@link #stop} cancels. */
    void execute(Statement statement, Executions.Work<?> work) throws SQLException {
        executing.add(statement);
        try {
            requireNotStopped();
            work.run();
        } finally {
            executing.remove(statement);
        }
    }

    void add(Part part, long count) {
        parts.add(part);
        rows.addAndGet(count);
    }

    long rows() {
        return rows.get();
    }

    /** The first failure stops the other workers; what they fail with then is its consequence. */
    void fail(Exception e) {
        if (failure.compareAndSet(null, e)) {
            stop();
        }
    }

    /** Leaves out what a worker could not ask, if that is allowed. */
    boolean leaveOut(Collection<Integer> shards, String reason) {
        ShardSet set = call.shards();
        MissingShards report = set.missing();
        if (report != null) {
            report.add(shards, reason);
        }
        return report != null;
    }

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

    void requireNotStopped() throws SQLException {
        if (stopped) {
            throw new SQLException("The query over several shards was cancelled.", "57014");
        }
    }

    /** Ends what is running; may be called by any thread. */
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

    /** The reader needs it no longer. Never fails; may be called again. */
    void close() {
        if (readerGone.compareAndSet(false, true)) {
            stopped = true;
            whenClosed.accept(this);
            release();
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

    void release() {
        if (holders.decrementAndGet() > 0) {
            return;
        }
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
