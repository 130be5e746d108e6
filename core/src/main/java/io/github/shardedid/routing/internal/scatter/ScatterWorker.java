package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.scatter.ShardChunks.Chunk;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.Relocations;
import io.github.shardedid.routing.internal.statement.Relocations.ShardSearch;
import io.github.shardedid.topology.ShardSchema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks chunks of one database, one after the other, over one connection. Runs once, on one thread. For each
 * chunk:
 *
 * <ol>
 *   <li>If the map says that one of its shards is elsewhere or fenced, the chunk is cut by the databases where
 *       its shards are, once those that move have arrived.
 *   <li>It becomes one statement for each shard, if their types differ or if names in the query depend on the
 *       search path.
 *   <li>It is sent, behind settings that make it read only, and the answer is compared with what the query was
 *       checked by.
 *   <li>If a replica fails, the same chunk is asked of its database. If a shard is not there any more, the map
 *       is read again, and the chunk is cut again. A chunk that has failed has given no rows, and a shard is in
 *       one chunk only, so that none is asked twice. Within the caller's transaction, which the failure has
 *       ended, nothing is repeated.
 *   <li>If a database is down, the caller may have allowed that its shards are left out. Any other failure
 *       stops the run.
 * </ol>
 */
final class ScatterWorker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ScatterWorker.class);

    private final ScatterRun run;
    private final Scatters scatters;
    private final ScatterCall call;
    private final Relocations relocations;
    private final Queue<Chunk> chunks;
    private final String database;
    /**
     * The connection of the caller's transaction to the database; null if the transaction has not written
     * there.
     */
    private final @Nullable PhysicalConnection ofTransaction;
    /** The connections by database: one, unless shards have moved meanwhile. */
    private final Map<String, PhysicalConnection> connections = new HashMap<>(2);

    /** The choice of replicas; null if none may be asked, or none any more after a failure. */
    private @Nullable ReplicaReads replicas;

    /**
     * Creates a worker. With the connection of the caller's transaction, it must run on the caller's thread.
     *
     * @param database the database of the chunks
     * @param chunks what it asks, one after the other
     */
    ScatterWorker(String database, ScatterRun run, Queue<Chunk> chunks, @Nullable PhysicalConnection ofTransaction) {
        this.database = database;
        this.ofTransaction = ofTransaction;
        if (ofTransaction != null) {
            connections.put(database, ofTransaction);
        }
        this.run = run;
        this.scatters = run.scatters;
        this.call = run.call;
        this.chunks = chunks;
        this.replicas = call.replicas();
        this.relocations = scatters.shared.relocations();
    }

    @Override
    public void run() {
        Chunk chunk = chunks.poll();
        while (chunk != null && !run.isStopped()) {
            try {
                askWhereItIs(chunk);
            } catch (RuntimeException e) {
                run.fail(e);
            }
            chunk = chunks.poll();
        }
    }

    /** Asks a chunk where its shards are, as far as is known. */
    private void askWhereItIs(Chunk chunk) {
        if (areThere(chunk)) {
            ask(chunk, null);
            return;
        }
        ShardSearch search = relocations.search(false);
        try {
            for (Chunk part : cut(chunk, search)) {
                ask(part, search);
            }
        } catch (SQLException e) {
            failed(chunk, e);
        }
    }

    /**
     * Returns whether all shards of a chunk are where it would be sent. A map that is too old is refreshed
     * before.
     */
    private boolean areThere(Chunk chunk) {
        relocations.requireYoungMap();
        for (int number : chunk.shards()) {
            Target.Shard shard = Target.shard(number);
            if (!relocations.isServed(shard, chunk.database()) && relocations.isKnown(shard) && !isUsed(number)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the caller's transaction has used a shard, which cannot leave then. */
    private boolean isUsed(int shard) {
        return ofTransaction != null && ofTransaction.use().has(Target.shard(shard));
    }

    /**
     * Cuts a chunk by the databases of its shards, once those on their way have arrived or the longest wait is
     * over.
     */
    private List<Chunk> cut(Chunk chunk, ShardSearch search) throws SQLException {
        Map<String, List<Integer>> byHome = new LinkedHashMap<>();
        for (int shard : chunk.shards()) {
            try {
                String home = chunk.database();
                if (!isUsed(shard)) {
                    if (relocations.isFenced(shard)) {
                        relocations.await(shard, home, search);
                    }
                    home = scatters.shared.databases().databaseOf(shard);
                }
                byHome.computeIfAbsent(home, name -> new ArrayList<>()).add(shard);
            } catch (ShardFencedException e) {
                requireLeftOut(shard, e);
            }
        }
        List<Chunk> parts = new ArrayList<>();
        byHome.forEach((home, shards) -> parts.add(new Chunk(chunk.number(), home, List.copyOf(shards))));
        return parts;
    }

    /** Leaves out a shard that is fenced, or throws the failure if the caller wants all rows. */
    private void requireLeftOut(int shard, ShardFencedException e) throws SQLException {
        if (!run.leaveOut(List.of(shard), String.valueOf(e.getMessage()))) {
            throw e;
        }
    }

    /**
     * Asks where the shards of a chunk are that has failed because some shard is not there.
     *
     * @throws SQLException the failure itself if nothing has moved, and the chunk was repeated before; or if a
     *     shard is on its way for too long
     */
    private List<Chunk> find(Chunk chunk, ShardSearch search, SQLException failure) throws SQLException {
        relocations.askSince(System.nanoTime());
        boolean moved = false;
        for (int shard : chunk.shards()) {
            if (!relocations.isServed(Target.shard(shard), chunk.database())) {
                moved = true;
                try {
                    relocations.find(shard, chunk.database(), search, failure);
                } catch (ShardFencedException e) {
                    requireLeftOut(shard, e);
                }
            }
        }
        if (!moved) {
            relocations.requireFirst(search, failure);
        }
        return cut(chunk, search);
    }

    /** Returns what to throw for a chunk that was asked within a transaction, which the failure has ended. */
    private SQLException unrepeatable(Chunk chunk, SQLException failure) {
        for (int shard : chunk.shards()) {
            SQLException explained = relocations.unrepeatable(shard, chunk.database(), failure);
            if (explained != failure) {
                return explained;
            }
        }
        return failure;
    }

    /**
     * Asks a chunk, of its database if a replica fails.
     *
     * @param begun the search for its shards; null unless they were looked for before
     */
    private void ask(Chunk chunk, @Nullable ShardSearch begun) {
        while (!run.isStopped()) {
            try {
                PhysicalConnection target = connection(chunk);
                boolean dependent = target.pathAlignment().isOfShard(call.analysis());
                if (chunk.shards().size() > 1 && (dependent || scatters.isSeparate(call.query()))) {
                    chunk.separate().forEach(part -> ask(part, begun));
                } else {
                    ask(target, chunk, dependent);
                }
                return;
            } catch (SQLException e) {
                if (!leavesReplica(chunk, e)) {
                    goOn(chunk, begun, e);
                    return;
                }
            }
        }
    }

    /**
     * Decides what happens to a chunk that has failed:
     *
     * <ol>
     *   <li>If types differ among its shards, each shard is asked by itself, from now on for this query.
     *   <li>If a shard may have moved, the chunk is cut again by where its shards are. Within the caller's
     *       transaction it cannot be repeated.
     *   <li>Any other failure reaches the statement, which reads the catalogs again if what is known of them
     *       may be outdated.
     * </ol>
     */
    private void goOn(Chunk chunk, @Nullable ShardSearch begun, SQLException failure) {
        try {
            if (ScatterFailures.areTypesOfShards(chunk, failure)) {
                undoOwn(chunk);
                scatters.separate(call.query());
                ask(chunk, begun);
                return;
            } else if (ScatterFailures.mayBeOutdated(failure)) {
                undoOwn(chunk);
            }
            if (!Relocations.mayBeLeft(Target.shard(chunk.shards().get(0)), failure)) {
                throw failure;
            } else if (isOfTransaction(connections.get(chunk.database()))) {
                throw unrepeatable(chunk, failure);
            }
            ShardSearch search = begun == null ? relocations.search(false) : begun;
            for (Chunk part : find(chunk, search, failure)) {
                ask(part, search);
            }
        } catch (SQLException e) {
            failed(chunk, e);
        }
    }

    /** Rolls back to the savepoint, so that the caller's transaction can continue. */
    private void undoOwn(Chunk chunk) throws SQLException {
        PhysicalConnection held = connections.get(chunk.database());
        if (held != null && isOfTransaction(held)) {
            try (Statement statement = held.connection().createStatement()) {
                statement.execute(ScatterQuery.UNDO);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // a connection is itself only
    private boolean isOfTransaction(@Nullable PhysicalConnection connection) {
        return connection != null && connection == ofTransaction;
    }

    /** Returns the connection to the database of a chunk, opened if there is none. */
    private PhysicalConnection connection(Chunk chunk) throws SQLException {
        PhysicalConnection held = connections.get(chunk.database());
        if (held == null) {
            held = connect(chunk.database());
            run.opened(held);
            connections.put(chunk.database(), held);
        }
        return held;
    }

    /**
     * Opens a connection. Rows that are fetched as they are read need a transaction, as the driver reads them
     * by a cursor.
     */
    private PhysicalConnection connect(String name) throws SQLException {
        PhysicalConnection connection = scatters.connect(name, call.settings(), replicas);
        if (call.streams()) {
            connection.setUp(ignored -> connection.begin(call.settings()));
        }
        return connection;
    }

    /**
     * Returns whether the same chunk is asked of the database itself now. It holds for the worker's later
     * chunks, too.
     */
    private boolean leavesReplica(Chunk chunk, SQLException e) {
        PhysicalConnection held = connections.get(chunk.database());
        if (held == null || replicas == null || run.isStopped() || !replicas.leaves(held, e)) {
            return false;
        }
        connections.remove(chunk.database());
        replicas = null;
        return true;
    }

    /**
     * Leaves out a chunk, or stops the run. If the worker's own database is down, so are the chunks that are
     * left.
     */
    private void failed(Chunk chunk, SQLException e) {
        boolean away = ScatterFailures.isAway(e);
        List<Integer> unasked = new ArrayList<>(chunk.shards());
        if (away && chunk.database().equals(database)) {
            for (Chunk rest = chunks.poll(); rest != null; rest = chunks.poll()) {
                unasked.addAll(rest.shards());
            }
        }
        if (!away || !run.leaveOut(unasked, "on database " + chunk.database() + ": " + e.getMessage())) {
            run.fail(away ? ScatterFailures.away(chunk.database(), unasked, e) : ScatterFailures.of(chunk, e));
        }
    }

    /**
     * Sends the statement of a chunk, and keeps its rows.
     *
     * @param dependent whether names in the query depend on the path, so that the only shard must be in it
     */
    private void ask(PhysicalConnection target, Chunk chunk, boolean dependent) throws SQLException {
        int seconds = call.secondsLeft();
        if (seconds < 0) {
            throw new SQLException("The query's timeout is over.", "57014");
        } else if (!call.databases().contains(chunk.database())) {
            throw ScatterFailures.outdated();
        }
        boolean withinTransaction = call.streams() || isOfTransaction(target);
        if (isOfTransaction(target)) {
            chunk.shards().forEach(shard -> target.use().add(Target.shard(shard)));
        }
        String path = path(target, chunk, dependent);
        PreparedStatement statement = call.prepare(
                target.connection(),
                path + scatters.text(call, chunk.shards(), withinTransaction, isOfTransaction(target)));
        boolean kept = false;
        try {
            statement.setQueryTimeout(seconds);
            int index = 1;
            for (int shard : chunk.shards()) {
                index = call.parameters().setOn(statement, index, call.query().parameters(), shard);
            }
            ResultSet rows = execute(target, statement, chunk, withinTransaction, !path.isEmpty());
            keep(new Part(chunk, statement, rows, target.session().utf8));
            kept = true;
        } finally {
            if (!kept) {
                statement.close();
                undo(target);
            }
        }
    }

    /**
     * Rolls back a statement that has failed while others fetch as they are read: the rows of other chunks on
     * the same connection can still be fetched.
     */
    private void undo(PhysicalConnection target) {
        if (call.streams() && !isOfTransaction(target)) {
            try (Statement statement = target.connection().createStatement()) {
                statement.execute(ScatterQuery.UNDO);
            } catch (SQLException e) {
                LOG.debug("A statement on database {} could not be undone", target.database(), e);
            }
        }
    }

    /** Returns what sets the search path, in the same round trip; empty if it is right. */
    private String path(PhysicalConnection target, Chunk chunk, boolean dependent) throws SQLException {
        if (dependent && (call.streams() || (call.query().merge() != null && target.path().pooled))) {
            throw new UnmergeableQueryException((call.streams()
                            ? "Rows that are fetched as they are read"
                            : "Groups and aggregates over several shards behind a pooler")
                    + " cannot be those of functions, types or operators that the search path of each shard finds: "
                    + SqlText.brief(call.query().text())
                    + ". Nothing was sent. Write sharded_id_shard. before their names, give functions a search path"
                    + " (ALTER FUNCTION … SET search_path), or query each shard.");
        }
        if (!dependent) {
            target.pathAlignment().align(null, false);
            return "";
        }
        String path =
                target.pathAlignment().before(ShardSchema.nameOf(chunk.shards().get(0)), true);
        return path == null ? "" : path + "; ";
    }

    private ResultSet execute(
            PhysicalConnection target,
            PreparedStatement statement,
            Chunk chunk,
            boolean withinTransaction,
            boolean withPath)
            throws SQLException {
        try {
            run.execute(statement, chunk);
            if (withPath) {
                target.pathAlignment().set();
            }
        } finally {
            target.pathAlignment().ran(call.analysis());
        }
        if (withPath) {
            statement.getMoreResults();
        }
        ScatterCall.settings(statement, withinTransaction);
        return ScatterCall.next(statement);
    }

    /** Keeps the rows of a chunk, and stops the run if there are too many to hold in memory. */
    private void keep(Part part) throws SQLException {
        if (call.streams()) {
            run.add(part, 0);
            return;
        }
        long count = part.rows().last() ? part.rows().getRow() : 0;
        part.rows().beforeFirst();
        run.add(part, count);
        if (!call.bounds().bounded() && run.rows() > scatters.options.maxRows()) {
            run.fail(ScatterFailures.tooMany(call.query(), scatters.options.maxRows()));
        }
    }
}
