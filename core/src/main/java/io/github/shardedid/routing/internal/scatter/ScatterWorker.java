package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.connection.ReplicaReads;
import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.scatter.ShardChunks.Chunk;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.Relocations;
import io.github.shardedid.topology.ShardSchema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks chunks of one database, one after the other, over one connection. Runs once, on one thread. For each
 * chunk:
 *
 * <ol>
 *   <li>It becomes one statement for each shard, if their types differ or if names in the query depend on the
 *       search path.
 *   <li>It is sent, behind settings that make it read only, and the answer is compared with what the query was
 *       checked by.
 *   <li>If a replica fails, the same chunk is asked of its database.
 *   <li>If the map says that a shard is elsewhere or fenced, or a failure may say so, the run ends with a {@link
 *       ShardLeft}, and the statement begins again once the shard has arrived. Within the caller's transaction,
 *       which the failure has ended, nothing is repeated.
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
    /** The connection over which it asks; null before the first chunk. */
    private @Nullable PhysicalConnection connection;

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
        this.connection = ofTransaction;
        this.run = run;
        this.scatters = run.scatters;
        this.call = run.call;
        this.chunks = chunks;
        this.replicas = call.replicas();
        this.relocations = scatters.shared.relocations();
    }

    /**
     * A shard may be elsewhere than where it would be, or was, asked.
     */
    static final class ShardLeft extends SQLException {
        private static final long serialVersionUID = 1;
        final transient Chunk chunk;
        /** What may have been the consequence; null if the map says so. */
        final @Nullable SQLException failure;

        ShardLeft(Chunk chunk, @Nullable SQLException failure) {
            super(failure);
            this.chunk = chunk;
            this.failure = failure;
        }
    }

    /** Returns whether it uses the connection of the caller's transaction. */
    boolean isWithinTransaction() {
        return ofTransaction != null;
    }

    @Override
    public void run() {
        Chunk chunk = chunks.poll();
        while (chunk != null && !run.isStopped()) {
            try {
                requireThere(chunk);
                ask(chunk);
            } catch (SQLException e) {
                failed(chunk, e);
            } catch (RuntimeException e) {
                run.fail(e);
            }
            chunk = chunks.poll();
        }
    }

    /**
     * Throws if the map says of some shard of a chunk that it is not where the chunk would be sent. A map that
     * is too old is refreshed before. A shard that the caller's transaction has used cannot leave then.
     */
    private void requireThere(Chunk chunk) throws ShardLeft {
        scatters.shared.databases().youngMap();
        for (int number : chunk.shards()) {
            Target.Shard shard = Target.shard(number);
            boolean there = relocations.isServed(shard, database)
                    || !relocations.isKnown(shard)
                    || (ofTransaction != null && ofTransaction.hasUsed(shard));
            if (!there && !call.waited()) {
                throw new ShardLeft(chunk, null);
            }
        }
    }

    /** Returns what to throw for a chunk that was asked within a transaction, which the failure has ended. */
    private SQLException unrepeatable(Chunk chunk, SQLException failure) {
        for (int shard : chunk.shards()) {
            SQLException explained = relocations.unrepeatable(shard, database, failure);
            if (explained != failure) {
                return explained;
            }
        }
        return failure;
    }

    /** Asks a chunk: of its database if a replica fails, and each shard by itself if their types differ. */
    private void ask(Chunk chunk) throws SQLException {
        PhysicalConnection target = connection();
        boolean dependent = target.pathAlignment().isOfShard(call.analysis());
        if (chunk.shards().size() > 1
                && (dependent || scatters.separate.getIfPresent(call.query().text()) != null)) {
            askEach(chunk);
            return;
        }
        try {
            ask(target, chunk, dependent);
        } catch (SQLException e) {
            if (leavesReplica(target, e)) {
                ask(chunk);
            } else if (ScatterFailures.areTypesOfShards(chunk, e)) {
                undoOwn();
                scatters.separate.put(call.query().text(), true);
                askEach(chunk);
            } else {
                failed(chunk, e);
            }
        }
    }

    private void askEach(Chunk chunk) throws SQLException {
        for (int shard : chunk.shards()) {
            ask(new Chunk(chunk.number(), database, List.of(shard)));
        }
    }

    /** Rolls back to the savepoint, so that the caller's transaction can continue. */
    private void undoOwn() throws SQLException {
        if (ofTransaction != null) {
            PhysicalConnection.execute(ofTransaction.connection(), ScatterQuery.UNDO);
        }
    }

    /**
     * Returns the connection, opened if there is none. Rows that are fetched as they are read need a
     * transaction, as the driver reads them by a cursor.
     */
    private PhysicalConnection connection() throws SQLException {
        PhysicalConnection held = connection;
        if (held != null) {
            return held;
        }
        PhysicalConnection opened = scatters.connect(database, call.settings(), replicas);
        if (call.streams()) {
            opened.setUp(ignored -> opened.begin(call.settings()));
        }
        run.connections.add(opened);
        connection = opened;
        return opened;
    }

    /**
     * Returns whether the same chunk is asked of the database itself now. It holds for the worker's later
     * chunks, too.
     */
    private boolean leavesReplica(PhysicalConnection held, SQLException e) {
        if (replicas == null || run.isStopped() || !replicas.leaves(held, e)) {
            return false;
        }
        connection = null;
        replicas = null;
        return true;
    }

    /**
     * Leaves out a chunk, or stops the run. If the database is down, so are the chunks that are left. If what is
     * known of the catalogs may be outdated, the caller's transaction can go on.
     */
    private void failed(Chunk chunk, SQLException e) {
        SQLException failure = e;
        boolean left = Relocations.mayHaveMoved(Target.shard(chunk.shards().get(0)), e);
        if (e instanceof ShardLeft || (left && ofTransaction == null)) {
            run.fail(e instanceof ShardLeft ? e : new ShardLeft(chunk, e));
            return;
        } else if (ofTransaction != null) {
            try {
                if (ScatterFailures.mayBeOutdated(e)) {
                    undoOwn();
                }
                failure = left ? unrepeatable(chunk, e) : e;
            } catch (SQLException lost) {
                failure = lost;
            }
        }
        boolean away = ScatterFailures.isAway(failure);
        List<Integer> unasked = new ArrayList<>(chunk.shards());
        for (Chunk rest = away ? chunks.poll() : null; rest != null; rest = chunks.poll()) {
            unasked.addAll(rest.shards());
        }
        MissingShards missing = call.shards().missing();
        if (away && missing != null) {
            missing.add(unasked, "on database " + database + ": " + failure.getMessage());
        } else {
            run.fail(away ? ScatterFailures.away(database, unasked, failure) : ScatterFailures.of(chunk, failure));
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
        } else if (!call.databases().contains(database)) {
            // Its catalog was not asked: by this failure, the query is read again.
            throw new SQLException("A shard has moved while the query ran.", "42809");
        }
        boolean withinTransaction = call.streams() || ofTransaction != null;
        if (ofTransaction != null) {
            chunk.shards().forEach(shard -> target.use(Target.shard(shard)));
        }
        String path = path(target, chunk, dependent);
        PreparedStatement statement = call.prepare(
                target.connection(),
                path + scatters.text(call, chunk.shards(), withinTransaction, ofTransaction != null));
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
        if (call.streams() && ofTransaction == null) {
            try {
                PhysicalConnection.execute(target.connection(), ScatterQuery.UNDO);
            } catch (SQLException e) {
                LOG.debug("A statement on database {} could not be undone", target.database(), e);
            }
        }
    }

    /** Returns what sets the search path, in the same round trip; empty if it is right. */
    private String path(PhysicalConnection target, Chunk chunk, boolean dependent) throws SQLException {
        if (dependent && (call.streams() || (call.query().merge() != null && target.session().pooled))) {
            throw new UnsupportedStatementException((call.streams()
                            ? "Rows that are fetched as they are read"
                            : "Groups and aggregates over several shards behind a pooler")
                    + " cannot be those of functions, types or operators that the search path of each shard finds: "
                    + SqlText.brief(call.query().text())
                    + ". Nothing was sent. Write sharded_id_shard. before their names, give functions a search path"
                    + " (ALTER FUNCTION … SET search_path), or query each shard.");
        }
        if (!dependent) {
            target.pathAlignment().align(null, false, null);
            return "";
        }
        String path =
                target.pathAlignment().before(ShardSchema.nameOf(chunk.shards().get(0)), true, null);
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
        return ScatterCall.rows(statement, 1 + (withPath ? 1 : 0) + (withinTransaction ? 1 : 0));
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
