package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.connection.Failures;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.PhysicalConnections;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.connection.Transaction;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.query.Catalogues;
import io.github.shardedid.routing.internal.sql.query.ScatterParser;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.Router;
import io.github.shardedid.routing.internal.statement.StatementFacade;
import io.github.shardedid.topology.ShardSchema;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Makes and reads the statements of one routed connection that go to several shards.
 *
 * <p>They read over connections of their own, so that several are asked at a time and none is held by the
 * transaction. A database on which the connection's transaction has written is asked within the transaction, as
 * what it wrote is seen there alone. So the reads share no snapshot, and a transaction that promises one is
 * refused.
 */
public final class ScatterSource {
    final Scatters scatters;
    private final Router router;
    private final PhysicalConnections physical;
    private final ConnectionSettings settings;
    private final Transaction transaction;
    final @Nullable ReplicaReads replicas;
    /** The runs that hold connections. */
    private final List<ScatterRun> open = new CopyOnWriteArrayList<>();

    public ScatterSource(
            Scatters scatters,
            Router router,
            PhysicalConnections physical,
            ConnectionSettings settings,
            Transaction transaction,
            @Nullable ReplicaReads replicas) {
        this.replicas = replicas;
        this.scatters = scatters;
        this.router = router;
        this.physical = physical;
        this.settings = settings;
        this.transaction = transaction;
    }

    /**
     * Prepares a query for several shards. It is read, and refused if it cannot be merged, but not sent.
     *
     * @param owner the routed connection
     * @param type the type of statement that the application wants
     */
    public StatementFacade prepare(Connection owner, String sql, ShardSet shards, Class<?> type) throws SQLException {
        if (type == CallableStatement.class) {
            throw ScatterRefusal.of("A call", new SqlText(sql), "Call it in each shard.");
        }
        SqlAnalysis analysis = scatters.shared.analyses().of(sql);
        // Refuses what leaves something in a session, or wants what is there: it is asked over many.
        analysis.requireNoSessionUse(sql);
        read(sql, shards);
        return new ScatterStatement(owner, router, this, analysis, sql, shards);
    }

    /** A query as it was read and checked, by the catalogs of some databases. */
    record Reading(ScatterQuery query, Set<String> databases) {}

    /**
     * Reads and checks a text. What was read before is reused, as long as the catalogs say the same. A refusal
     * may come from what was known before, so that the catalogs are read again before it is thrown. What is
     * accepted is verified by each execution.
     */
    Reading read(String sql, ShardSet shards) throws SQLException {
        SortedMap<String, List<Integer>> homes = ShardChunks.homes(shards, scatters.shared.databases());
        ScatterParser parser = scatters.parser(sql, shards.isPerShard());
        Set<String> databases = lookUp(parser, homes, false);
        ScatterQuery query;
        try {
            query = query(parser, databases);
        } catch (UnsupportedStatementException e) {
            // Perhaps by what was known before. What is accepted by it, each execution verifies.
            databases = lookUp(parser, homes, true);
            query = query(parser, databases);
        }
        if (query.parameters().size() > ScatterQuery.MOST_PARAMETERS) {
            throw ScatterRefusal.of(
                    "More than " + ScatterQuery.MOST_PARAMETERS + " parameters",
                    new SqlText(sql),
                    "Pass the values as an array: = any (?), in HQL array_contains(:values, …).");
        }
        return new Reading(query, databases);
    }

    private ScatterQuery query(ScatterParser parser, Set<String> databases) {
        return parser.query(
                scatters.catalogues.of(databases, parser.names()),
                scatters.shared.analyses().colocated());
    }

    /**
     * Reads in each database what is not known of the names of a query, in that of the transaction over its
     * connection; the tables in the first one that has them.
     *
     * @return those that could be reached; what cannot, the query itself finds out
     */
    private Set<String> lookUp(ScatterParser parser, SortedMap<String, List<Integer>> homes, boolean again)
            throws SQLException {
        Catalogues catalogues = scatters.catalogues;
        boolean tables = again || !catalogues.knowsTables(parser.names());
        Set<String> reached = new HashSet<>();
        SQLException failure = null;
        for (Map.Entry<String, List<Integer>> home : homes.entrySet()) {
            String database = home.getKey();
            try {
                if (again || tables || !catalogues.knows(database, parser.names())) {
                    String schema = tables ? ShardSchema.nameOf(present(home.getValue(), database)) : null;
                    onWriterOr(database, connection -> {
                        catalogues.lookUp(connection, database, parser.names());
                        if (schema != null) {
                            catalogues.lookUpTables(connection, schema, parser.names());
                        }
                        return database;
                    });
                    tables = tables && !catalogues.knowsTables(parser.names());
                }
                reached.add(database);
            } catch (SQLException e) {
                if (!ScatterFailures.isAway(e)) {
                    throw e;
                }
                failure = Failures.add(failure, ScatterFailures.away(database, home.getValue(), e));
            }
        }
        if (reached.isEmpty() && failure != null) {
            throw failure;
        }
        return reached;
    }

    /**
     * Returns a shard whose schema is there, as far as is known: while a shard moves, its schema has another
     * name.
     */
    private int present(List<Integer> shards, String database) {
        return shards.stream()
                .filter(shard -> scatters.shared.relocations().isServed(Target.shard(shard), database))
                .findFirst()
                .orElse(shards.get(0));
    }

    /**
     * Does something over the transaction's connection to a database, if the transaction has written there, and
     * else over another one. A table that the transaction has created is known to the former alone.
     */
    private <T> T onWriterOr(String database, Work<T> work) throws SQLException {
        Optional<PhysicalConnection> writer = writers().stream()
                .filter(each -> each.database().equals(database))
                .findFirst();
        return writer.isPresent() ? work.on(writer.get().connection()) : on(database, work);
    }

    private <T> T on(String database, Work<T> work) throws SQLException {
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
     * @throws UnsupportedStatementException if the transaction reads from one snapshot
     */
    void requireReadable(String sql, ShardSet shards) throws SQLException {
        if (!shards.equals(ShardContext.target())) {
            throw settings.differs(sql, shards);
        }
        boolean fixed = settings.isolation != null && settings.isolation > Connection.TRANSACTION_READ_COMMITTED;
        if (!settings.autoCommit && fixed) {
            throw ScatterRefusal.of(
                    "In a transaction at REPEATABLE READ or SERIALIZABLE, a query that does not share its snapshot",
                    new SqlText(sql),
                    "Use READ COMMITTED, or ask outside the transaction.");
        }
    }

    /**
     * Returns the connections on which the transaction has written, or a function may have: what it wrote is
     * seen there alone.
     */
    List<PhysicalConnection> writers() {
        return settings.autoCommit
                ? List.of()
                : Arrays.stream(physical.all()).filter(this::hasWritten).toList();
    }

    private boolean hasWritten(PhysicalConnection held) {
        boolean declared = held.database().equals(transaction.writtenDatabase());
        return !held.isReplica() && held.isInTransaction() && (declared || held.mayHaveWritten);
    }

    /**
     * Returns what the transaction has set, as columns of a query for other connections. Its own ones are given
     * what they lack at once.
     */
    String localSettings(List<PhysicalConnection> writers) throws SQLException {
        for (PhysicalConnection writer : writers) {
            transaction.settingsFor(writer, false);
        }
        return transaction.localSettings();
    }

    /** Returns a new run, which is closed with the connection at the latest. */
    ScatterRun run(ScatterCall call) {
        ScatterRun run = new ScatterRun(scatters, call, open::remove);
        open.add(run);
        return run;
    }

    /** Returns the settings of the routed connection, but for its transaction. */
    ConnectionSettings settings() {
        ConnectionSettings own = new ConnectionSettings(false, () -> null);
        own.anySnapshot = settings.autoCommit || settings.isolation != null;
        return own;
    }

    /** Uses any connection for a moment: for a value of a parameter, such as an array. */
    public <T> T withAny(ShardSet shards, Work<T> work) throws SQLException {
        SQLException failure = null;
        for (String database :
                ShardChunks.homes(shards, scatters.shared.databases()).keySet()) {
            try {
                return on(database, work);
            } catch (DatabaseUnavailableException e) {
                failure = Failures.add(failure, e);
            }
        }
        throw failure == null ? new SQLException("No database can be asked.") : failure;
    }

    /** Something that is done with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection physical) throws SQLException;
    }

    /** Closes the runs that are still open. */
    public void close() {
        open.forEach(ScatterRun::close); // which removes it
    }

    /** Ends the queries that are running, too. May be called by any thread. */
    public void abort() {
        open.forEach(ScatterRun::stop);
        close();
    }
}
