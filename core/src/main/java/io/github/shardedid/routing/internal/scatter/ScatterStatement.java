package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.scatter.ScatterWorker.ShardLeft;
import io.github.shardedid.routing.internal.scatter.ShardChunks.Chunk;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.query.GroupMerge;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.RecordedCalls;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.statement.StatementFacade;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A prepared SELECT that goes to several shards; their rows come back as one result. Each execution:
 *
 * <ol>
 *   <li>refuses what the query would not see, such as another scope than that in which it was prepared, or the
 *       snapshot of its transaction;
 *   <li>reads the text, by what is known of the catalogs;
 *   <li>asks all shards ({@link ScatterRun}), and compares the columns of what they return;
 *   <li>merges: groups by a database ({@link ServerMerge}), rows by their order.
 * </ol>
 *
 * <p>If the catalogs were not as they were known to be, it begins again with what they say now; and if a shard
 * has moved meanwhile, once it has arrived ({@link MovedShards}).
 *
 * <p>The catalogs are not asked before each execution, as that would be a round trip to each database. Instead,
 * what is known is verified by the query itself: it fails where a table is not as it was when the query was
 * checked.
 */
final class ScatterStatement extends StatementFacade {
    /** Of what may be outdated; each goes by what the catalogs say then. */
    private static final int MOST_ATTEMPTS = 3;

    private final ScatterSource source;
    private final SqlAnalysis analysis;
    private final String sql;
    /** The shards of the scope in which it was prepared. It is executed in the same scope only. */
    private final ShardSet shards;

    private final RecordedCalls calls = new RecordedCalls();
    /** The result of the last execution; null if it is closed. */
    private @Nullable ResultSet result;
    /** The last execution; null if it is closed. Volatile, as another thread may cancel it. */
    private volatile @Nullable ScatterRun run;

    ScatterStatement(
            Connection owner, Router router, ScatterSource source, SqlAnalysis analysis, String sql, ShardSet shards) {
        super(owner, router);
        this.source = source;
        this.analysis = analysis;
        this.sql = sql;
        this.shards = shards;
    }

    @Override
    public @Nullable Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        return switch (name) {
            case "executeQuery" -> execute(proxy, arguments);
            case "execute" -> {
                execute(proxy, arguments);
                yield true;
            }
            case "getResultSet" -> result;
            case "getMoreResults" -> {
                release();
                yield false;
            }
            case "cancel" -> {
                cancel();
                yield null;
            }
            default ->
                name.equals("clearParameters") || (name.startsWith("set") && arguments != null)
                        ? set(method, arguments)
                        : ask(proxy, method, arguments);
        };
    }

    private @Nullable Object set(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments != null && arguments.length > 1) {
            ScatterParameters.require(method, arguments[0]);
        } else if (arguments != null
                && method.getName().equals("setMaxFieldSize")
                && arguments[0] instanceof Integer size
                && size > 0) {
            throw new SQLFeatureNotSupportedException(
                    "setMaxFieldSize is not possible on a query over several shards.");
        }
        calls.noteAhead(method, arguments);
        return null;
    }

    /** Returns a setting that is a number; 0 if it was not set. */
    private int setting(String setter) {
        return calls.get(setter, 0) instanceof Integer value ? value : 0;
    }

    /**
     * Answers a call that sets and executes nothing. What the driver would answer for one statement only is
     * refused.
     */
    private @Nullable Object ask(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "getFetchDirection" -> ResultSet.FETCH_FORWARD;
            case "getResultSetType" -> ResultSet.TYPE_FORWARD_ONLY;
            case "getResultSetConcurrency" -> ResultSet.CONCUR_READ_ONLY;
            case "getResultSetHoldability" -> ResultSet.CLOSE_CURSORS_AT_COMMIT;
            case "getQueryTimeout",
                    "getMaxRows",
                    "getFetchSize",
                    "getMaxFieldSize",
                    "getUpdateCount",
                    "getLargeUpdateCount",
                    "isPoolable",
                    "getWarnings",
                    "clearWarnings",
                    "getMetaData" -> calls.answer(proxy, method, arguments);
            default -> {
                if (method.isDefault() && !method.getName().startsWith("execute")) {
                    yield InvocationHandler.invokeDefault(proxy, method, arguments);
                }
                throw new SQLFeatureNotSupportedException(
                        method.getName() + " is not possible on a query over several shards.");
            }
        };
    }

    /** Executes the query, as often as the catalogs and the moves of shards need, up to a bound. */
    private ResultSet execute(Object proxy, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments != null && arguments.length > 0) {
            throw new SQLException("A prepared statement has its SQL already.", "42601");
        }
        release();
        source.requireReadable(sql, shards);
        int seconds = setting("setQueryTimeout");
        long deadline = seconds == 0 ? 0 : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        MovedShards moved = new MovedShards(source.scatters.shared.relocations(), shards.missing());
        for (int attempt = 1; ; ) {
            SQLException failure;
            try {
                result = execute(proxy, source.read(sql, shards), moved, deadline);
                return result;
            } catch (ShardLeft e) {
                failure = moved.find(e);
            } catch (SQLException e) {
                failure = e;
            }
            if (failure != null) {
                if (attempt++ == MOST_ATTEMPTS || !ScatterFailures.mayBeOutdated(failure)) {
                    throw failure;
                }
                source.scatters.catalogues.forget();
            }
        }
    }

    /** Executes the query once. After a failure, nothing stays open. */
    private ResultSet execute(Object proxy, ScatterSource.Reading reading, MovedShards moved, long deadline)
            throws SQLException {
        ScatterCall call = newCall(reading, moved.waited, deadline);
        int size = call.query().shardsPerStatement(source.scatters.options.shardsPerStatement());
        SortedMap<String, Queue<Chunk>> chunks =
                ShardChunks.of(shards, size, source.scatters.shared.databases(), moved.leftOut);
        ScatterRun next = source.run(call);
        run = next;
        List<Part> parts = next.execute(chunks);
        try {
            if (parts.isEmpty()) {
                throw new SQLException(
                        "None of " + call.shards()
                                + " could be asked, so that there is no result, not even a partial one.",
                        "08001");
            }
            ServerMerge server = new ServerMerge(next, parts, call);
            server.requireSameColumns();
            return merged(proxy, next, parts, call, server).proxy();
        } catch (SQLException | RuntimeException e) {
            next.close();
            throw e;
        }
    }

    /** Merges the rows. Those of one statement, and those without an order, need no comparison. */
    private MergedRows merged(Object statement, ScatterRun run, List<Part> parts, ScatterCall call, ServerMerge server)
            throws SQLException {
        ScatterQuery query = call.query();
        GroupMerge merge = query.merge();
        if (merge != null) {
            Part groups = server.groups(merge);
            run.add(groups, 0);
            return new MergedRows(statement, run, List.of(groups), null, 0, Long.MAX_VALUE);
        }
        SortOrder order = query.keys().isEmpty() || parts.size() == 1 ? null : SortOrder.of(query, parts, server);
        ScatterBounds bounds = call.bounds();
        MergedRows rows = new MergedRows(
                statement, run, parts, order, query.keys().size(), bounds.bounded() ? bounds.most() : Long.MAX_VALUE);
        rows.skip(bounds.offset());
        return rows;
    }

    /**
     * Returns the request of one execution. Rows are fetched as they are read if a fetch size is set and
     * nothing else holds all rows in memory, such as groups.
     */
    private ScatterCall newCall(ScatterSource.Reading reading, boolean waited, long deadline) throws SQLException {
        ScatterQuery query = reading.query();
        ScatterParameters bound = ScatterParameters.of(
                calls.parameters(), query, source.scatters.shared.databases().cluster());
        ScatterBounds bounds = ScatterBounds.of(query, bound, setting("setMaxRows"), source.scatters.options);
        int rows = setting("setFetchSize") == 0 ? shards.fetchSize() : setting("setFetchSize");
        boolean streams = rows > 0 && !bounds.bounded() && query.merge() == null;
        List<PhysicalConnection> writers = source.writers();
        return new ScatterCall(
                query,
                analysis,
                bound,
                shards,
                reading.databases(),
                source.settings(),
                source.localSettings(writers),
                streams ? bounds.streamed() : bounds,
                streams ? rows : 0,
                deadline,
                source.replicas != null && source.replicas.allows(analysis) ? source.replicas : null,
                writers,
                waited);
    }

    /**
     * Refuses large objects: one would be used, and written, outside of a transaction of its shard, over a
     * connection that has gone back to its pool.
     */
    @Override
    public void beforeLargeObject(String call) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                call + " is not possible on a large object of a query over several shards: it is read and written in a"
                        + " transaction of its shard. Read its row by the id.");
    }

    @Override
    public void cancel() {
        ScatterRun running = run;
        if (running != null) {
            running.stop();
        }
    }

    /** Closes the last execution, if there is one. */
    @Override
    public void release() {
        ScatterRun last = run;
        run = null;
        result = null;
        if (last != null) {
            last.close();
        }
    }
}
