package io.github.shardedid.routing.internal.scatter;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.sql.query.Catalogues;
import io.github.shardedid.routing.internal.sql.query.ScatterParser;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.SharedRouting;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The parts that the queries over several shards of a data source share: what was read of their texts, the
 * statements that are sent, the threads, and the bound on queries that run at the same time. Safe for use by
 * several threads.
 *
 * <p>A query over all shards uses a connection to each database. Without a bound, a few of them would take all
 * connections of all pools, and calls for single shards would wait for them.
 */
public final class Scatters {
    /** The bytes of the queries that are kept: thousands. */
    private static final long QUERIES = 16_000_000;

    /** The bytes of the statements that are kept. A statement for 50 shards has tens of thousands of characters. */
    private static final long CHUNKS = 32_000_000;
    /** The bytes of the texts that need a statement for each shard. */
    private static final long SEPARATE = 1_000_000;

    /** The bytes of what is not text in an entry. */
    private static final int OBJECTS = 256;

    /** The bytes of a shard's number in an entry. */
    private static final int SHARD = 24;

    /** The routing that all statements of the data source share. */
    final SharedRouting shared;

    final ScatterOptions options;
    final Catalogues catalogues = new Catalogues(System::nanoTime);
    /**
     * The threads, which end when they have nothing to do, so that they need no shutdown. Their number is
     * bounded by that of the queries and databases. The common pool is not used: the application may have
     * filled it with work that waits for these queries.
     */
    final Executor executor;
    /** The queries that may still begin. Fair, so that none waits for ever. */
    private final Semaphore running;

    private final Cache<Wanted, ScatterParser> queries =
            SqlAnalyses.keptTexts(QUERIES, (wanted, parser) -> parser.bytes());

    /**
     * The statements for chunks. They are long, and those for all shards are the same string each time, which
     * the driver's cache need not compare.
     */
    private final Cache<ChunkKey, String> texts = SqlAnalyses.keptTexts(CHUNKS, Scatters::bytes);

    /**
     * The queries of which each shard needs a statement of its own, as one for two shards fails. So it fails
     * only once.
     */
    final Cache<String, Boolean> separate = SqlAnalyses.keptTexts(SEPARATE, (sql, yes) -> 2 * sql.length() + OBJECTS);

    public Scatters(SharedRouting shared, ScatterOptions options) {
        this.shared = shared;
        this.options = options;
        this.executor = threads();
        this.running = new Semaphore(options.concurrentQueries(), true);
    }

    private static Executor threads() {
        AtomicInteger number = new AtomicInteger();
        return Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "sharded-id-scatter-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A text, and whether it compares rows within each shard, whatever is in the others. */
    private record Wanted(String sql, boolean perShard) {}

    /** Returns what was read of a text; checked or not. */
    ScatterParser parser(String sql, boolean perShard) {
        return queries.get(
                new Wanted(sql, perShard),
                wanted -> ScatterParser.read(
                        wanted.sql, wanted.perShard, shared.analyses().of(wanted.sql)));
    }

    /** The parts of which the statement of a chunk is made. */
    private record ChunkKey(String form, List<Integer> shards, long most, boolean withinTransaction) {}

    private static int bytes(ChunkKey key, String text) {
        return 2 * (key.form.length() + text.length()) + SHARD * key.shards.size() + OBJECTS;
    }

    /**
     * Returns what to send for the shards of a chunk.
     *
     * @param ofCaller whether it is sent within the caller's transaction, so that what this has set holds
     *     anyway; else the text has values that are seldom the same again
     */
    String text(ScatterCall call, List<Integer> shards, boolean withinTransaction, boolean ofCaller) {
        ScatterQuery query = call.query();
        long most = call.bounds().most();
        ChunkKey wanted = new ChunkKey(query.form(), shards, most, withinTransaction);
        List<String> schemas = shards.stream().map(ShardSchema::nameOf).toList();
        return ofCaller || call.local().isEmpty()
                ? texts.get(wanted, key -> query.sent(schemas, most, withinTransaction, ""))
                : query.sent(schemas, most, withinTransaction, call.local());
    }

    /**
     * Returns a connection for reading, outside of any transaction. The caller releases it.
     *
     * @param replicas the choice of replicas; null for the database itself
     * @throws UnsupportedStatementException if the session would read from a snapshot that other databases do not
     *     share
     */
    PhysicalConnection connect(String database, ConnectionSettings settings, @Nullable ReplicaReads replicas)
            throws SQLException {
        PhysicalConnection replica = replicas == null ? null : replicas.connect(database);
        PhysicalConnection physical = replica != null
                ? replica
                : new PhysicalConnection(
                        database, null, shared.pools().connect(database, null, false), shared.sessions());
        physical.setUp(ignored -> {
            physical.start();
            physical.replay(settings);
            if (!settings.anySnapshot && !physical.session().readCommitted) {
                throw new UnsupportedStatementException("Transactions on database " + database
                        + " are REPEATABLE READ or SERIALIZABLE by default (the pool, its URL, or the role says so), and a query over"
                        + " several shards does not share their snapshot. Nothing was returned. Give the transaction the level READ"
                        + " COMMITTED, or ask outside of one.");
            }
        });
        return physical;
    }

    /** Waits until few enough other queries run; {@link #leave} lets the next one run. */
    void enter() throws SQLException {
        try {
            // Without a time it would push in ahead of those who wait.
            if (running.tryAcquire(0, TimeUnit.NANOSECONDS) || isGivenTurn()) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("The thread was interrupted while its query waited for its turn.", "57014", e);
        }
        throw new SQLTransientException(
                "A query over several shards waited " + options.longestWait() + " for its turn: "
                        + options.concurrentQueries()
                        + " others are running, which is the most that is allowed. Nothing was sent. Ask fewer"
                        + " shards, page by key, or allow more.",
                "53000");
    }

    /** Waits until a query ends. Of those who wait, the first one is next. */
    private boolean isGivenTurn() throws InterruptedException {
        long start = System.nanoTime();
        boolean given = running.tryAcquire(options.longestWait().toNanos(), TimeUnit.NANOSECONDS);
        shared.listener().queueWaited(System.nanoTime() - start, given);
        return given;
    }

    /** Lets the next query run. */
    void leave() {
        running.release();
    }
}
