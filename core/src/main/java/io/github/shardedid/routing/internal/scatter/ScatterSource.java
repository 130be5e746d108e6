package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.Failures;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.connection.TargetErrors;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.ValueLists;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.topology.Cluster;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the statements of one routed connection that go to several shards. They read over connections of their own, but for
 * the database on which the connection's transaction has written, which is asked within the transaction.
 */
public final class ScatterSource {
    private final Scatters scatters;
    private final Router router;
    private final PhysicalConnections physical;
    private final ConnectionSettings settings;
    private final Transaction transaction;
    private final ReplicaReads replicas;
    private final ScatterReader reader;
    /** Those that hold connections; null before the first one. */
    private volatile @Nullable Set<ScatterRun> open;

    public ScatterSource(
            Scatters scatters,
            Router router,
            PhysicalConnections physical,
            ConnectionSettings settings,
            Transaction transaction,
            ReplicaReads replicas) {
        this.replicas = replicas;
        this.scatters = scatters;
        this.router = router;
        this.physical = physical;
        this.settings = settings;
        this.transaction = transaction;
        this.reader = new ScatterReader(scatters, this);
    }

    public <S extends PreparedStatement> S prepare(Connection owner, String sql, ShardSet shards, Class<S> type)
            throws SQLException {
        if (type == CallableStatement.class) {
            throw ScatterRefusal.of("A call", new SqlText(sql), "Call it in each shard.");
        }
        ValueLists lists = scatters.lists(sql);
        SqlAnalysis analysis = scatters.analysis(lists.collapsed().sql());
        // Refuses what leaves something in a session, or wants what is there: it is asked over many.
        analysis.traits().session().require(sql);
        reader.read(lists, shards, true);
        return new ScatterStatement(owner, router, this, analysis, lists, shards).as(type);
    }

    <T> T on(String database, Work<T> work) throws SQLException {
        PhysicalConnection physical = scatters.connect(database, settings(), null);
        try {
            return work.on(physical.connection());
        } finally {
            physical.release();
        }
    }

    /**
     * Refuses what the query would not see.
     *
     * @throws UnmergeableQueryException if the transaction reads from one snapshot
     */
    void requireReadable(String sql, ShardSet shards) throws SQLException {
        if (!shards.equals(ShardContext.target())) {
            throw TargetErrors.differs(sql, shards.toString(), settings.currentTarget());
        }
        boolean fixed = settings.isolation != null && settings.isolation > Connection.TRANSACTION_READ_COMMITTED;
        if (!settings.autoCommit && fixed) {
            throw ScatterRefusal.of(
                    "In a transaction at REPEATABLE READ or SERIALIZABLE, a query that does not share its snapshot",
                    new SqlText(sql),
                    "Use READ COMMITTED, or ask outside the transaction.");
        }
    }

    /** The connections on which the transaction has written, or a function may have: what it wrote is seen there alone. */
    List<PhysicalConnection> writers() {
        return settings.autoCommit
                ? List.of()
                : Arrays.stream(physical.all()).filter(this::hasWritten).toList();
    }

    private boolean hasWritten(PhysicalConnection held) {
        boolean declared = held.database().equals(transaction.binding().database());
        return !held.isReplica()
                && held.isInTransaction()
                && (declared || held.use().mayHaveWritten());
    }

    /** What the transaction has set, for its own connections, and as columns of a query for others. */
    String localSettings(List<PhysicalConnection> writers) throws SQLException {
        for (PhysicalConnection writer : writers) {
            transaction.settingsFor(writer, false);
        }
        return transaction.localSettings();
    }

    SortedMap<String, Queue<ShardChunks.Chunk>> chunks(ShardSet shards, ScatterQuery query)
            throws DatabaseUnavailableException {
        int size = query.shardsPerStatement(scatters.options().shardsPerStatement());
        return ShardChunks.of(shards, size, scatters.databases());
    }

    ScatterRun run(ScatterCall call) {
        Set<ScatterRun> runs = runs();
        ScatterRun run = new ScatterRun(scatters, call, runs::remove);
        runs.add(run);
        return run;
    }

    private synchronized Set<ScatterRun> runs() {
        Set<ScatterRun> runs = open;
        if (runs == null) {
            runs = ConcurrentHashMap.newKeySet();
            open = runs;
        }
        return runs;
    }

    /** What a database merges. */
    ServerMerge serverMerge(ScatterRun run, List<ScatterRun.Part> parts, ScatterCall call) {
        return new ServerMerge(run, scatters, parts, call);
    }

    /** Where a query may ask replicas; null where it may not. */
    @Nullable
    ReplicaReads replicas(SqlAnalysis analysis) {
        return replicas.allows(analysis.traits(), analysis.traits().plain()) ? replicas : null;
    }

    ScatterReader reader() {
        return reader;
    }

    Cluster cluster() {
        return scatters.databases().cluster();
    }

    ScatterOptions options() {
        return scatters.options();
    }

    /** As the routed connection's, but for its transaction. */
    ConnectionSettings settings() {
        ConnectionSettings own = new ConnectionSettings(false, () -> null);
        own.networkTimeout = settings.networkTimeout;
        own.clientInfo = settings.clientInfo;
        own.anySnapshot = settings.autoCommit || settings.isolation != null;
        return own;
    }

    /** Something that needs a connection, whichever, for a moment: a value for a parameter. */
    public <T> T withAny(ShardSet shards, Work<T> work) throws SQLException {
        SQLException failure = null;
        for (String database : ShardChunks.homes(shards, scatters.databases()).keySet()) {
            try {
                return on(database, work);
            } catch (DatabaseUnavailableException e) {
                failure = Failures.add(failure, e);
            }
        }
        throw failure == null ? new SQLException("No database can be asked.") : failure;
    }

    @FunctionalInterface
    public interface Work<T> {
        T on(Connection physical) throws SQLException;
    }

    /** Closes what is still open. */
    public void close() {
        Set<ScatterRun> runs = open;
        if (runs != null) {
            List.copyOf(runs).forEach(ScatterRun::close);
        }
    }

    /** Ends what is running, too; may be called by any thread. */
    public void abort() {
        Set<ScatterRun> runs = open;
        if (runs != null) {
            runs.forEach(ScatterRun::stop);
            close();
        }
    }
}
