package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.Target;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that a routed connection keeps from the first statement of a transaction to its end, over all
 * databases touched: the written shard, the savepoints, what the transaction has set, and the failures of its
 * plain queries that ran outside of it. For one thread at a time.
 *
 * <p>A transaction has a part on each database, and each part begins when it is needed. This class makes them
 * appear as one: a savepoint, a setting and a rollback concern all of them, also those that begin later. {@link
 * PhysicalConnections#commit} commits them.
 *
 * <p>PostgreSQL refuses everything after a failed statement until the transaction, or a savepoint, is rolled
 * back. A query in autocommit leaves nothing behind on the server. So that deferring BEGIN changes no outcome,
 * this class refuses what the server would have refused: an application that catches the exception and commits
 * must not commit half of its work.
 */
public final class Transaction {
    private final PhysicalConnections connections;
    private final ConnectionSettings settings;
    /** Where it writes, null if nothing was written or declared; and the database to which a write was sent. */
    private Target.@Nullable Single written;

    private @Nullable String writtenDatabase;
    /** The write that was sent together with its commit; null if there is none. */
    private @Nullable SingleTripCommit commit;

    /** What it has set for itself; null until a statement has run that may do so. */
    private @Nullable LocalSettings local;

    private final List<RoutingSavepoint> savepoints = new ArrayList<>(0);
    private final @Nullable ReplicaReads replicas;
    /** The databases on which a query outside of it has failed. Mostly empty, without a set of its own. */
    private Set<String> failed = Set.of();
    /**
     * True if something was prepared in the transaction. From then on, its read-only mode and its isolation
     * cannot be changed.
     */
    public boolean prepared;
    /** The number of the latest savepoint. It only grows, so that no name is used twice. */
    private int lastSavepoint;
    /** The last write, if it was announced, its commit may be sent together with it, and it was not sent yet; null if more may follow. */
    public @Nullable SingleTripCommit lastWrite;

    public Transaction(PhysicalConnections connections, ConnectionSettings settings, @Nullable ReplicaReads replicas) {
        this.replicas = replicas;
        this.connections = connections;
        this.settings = settings;
    }

    /** Returns where the transaction writes, or null if nothing was written or declared. */
    public Target.@Nullable Single writtenTarget() {
        return written;
    }

    /** Returns the database to which a write was sent, or null if none was. */
    public @Nullable String writtenDatabase() {
        return writtenDatabase;
    }

    /**
     * Refuses a second target, and any write after the last one has committed the transaction. It is refused also if
     * two shards are on one database: what works must not depend on where shards happen to be, as a move would break it.
     *
     * @param what what is to be written; asked only for the message
     */
    public void checkWrite(Target.Single target, Supplier<String> what, Databases databases) {
        if (commit != null) {
            throw new IllegalStateException(
                    "The last write already committed this transaction; refused, and not sent, was " + what.get()
                            + ".");
        }
        if (written != null && !written.equals(target)) {
            throw new SecondWriteShardException("This transaction writes to "
                    + databases.describe(written) + "; refused, and not sent, was a write to "
                    + databases.describe(target) + ": " + what.get()
                    + ". A transaction writes to one shard only, also if both are on one database. Do this write in a"
                    + " transaction of its own, after this one or with Propagation.REQUIRES_NEW.");
        }
    }

    /**
     * Binds the transaction to a checked target, to which nothing need have been sent yet: a flush declares its target
     * before its first statement.
     *
     * @param database null unless a statement is about to be sent there. It becomes another one if the shard has moved
     *     before anything was done with it
     */
    public void bind(Target.Single target, @Nullable String database) {
        if (written == null || (database != null && !database.equals(writtenDatabase))) {
            written = target;
            writtenDatabase = database;
        }
    }

    /** Notes that the last write is sent together with its commit. */
    public void sending(SingleTripCommit last, String database) {
        last.database = database;
        commit = last;
    }

    /** Notes that the database has refused that write: the transaction has written nothing. */
    public void refused() {
        commit = null;
    }

    /** Fails if the last write was committed, perhaps. */
    private void requireUncommitted() throws SQLException {
        if (commit != null) {
            commit.requireUncommitted();
        }
    }

    /** Notes that a query outside of the transaction has failed on a database. */
    public void failedOn(String database) {
        if (failed.isEmpty()) {
            failed = new LinkedHashSet<>();
        }
        failed.add(database);
    }

    /**
     * Refuses a statement on a database where a query has failed, as the server would.
     *
     * @throws SQLException with the SQLState of PostgreSQL, 25P02
     */
    public void requireNoFailureOn(String database) throws SQLException {
        if (failed.contains(database)) {
            throw new SQLException(
                    "Nothing was sent to database " + database + ", where a statement of this transaction has failed:"
                            + " until it is rolled back, or a savepoint from before, no other is accepted.",
                    PhysicalConnections.IN_FAILED_TRANSACTION);
        }
    }

    /** Refuses to set or release a savepoint after a failure. */
    private void requireNoFailure() throws SQLException {
        for (String database : failed) {
            requireNoFailureOn(database);
        }
    }

    /**
     * Returns whether the last write may commit by itself, as a transaction of its own: the transaction must
     * have done nothing that a write in autocommit would leave behind, or that would have to be undone with it. A transaction that claims values has
     * begun, so that its last write is sent with the COMMIT.
     */
    public boolean allowsSingleTrip(String database) throws SQLException {
        return lastWrite != null
                && settings.defersBegin()
                && !settings.isReadOnly()
                && failed.isEmpty()
                && (local == null || local.areNone())
                && (connections.areUnused(database) || (!lastWrite.isBatch() && connections.areClaiming(database)));
    }

    /** Notes that the last write was sent with its commit: it has succeeded, or its connection broke. */
    public void committed(SingleTripCommit last, PhysicalConnection on, @Nullable SQLException failure) {
        lastWrite = null;
        if (failure == null) {
            on.reservedIds = false;
            last.answered = true;
        } else {
            last.unknown = ConnectionLoss.explainCommit(failure, on.database());
        }
    }

    /**
     * Notes that a statement has run, perhaps inside of the transaction.
     *
     * @param texts returns the values of its parameters, as far as they are known texts
     */
    public void ran(Route route, IntFunction<@Nullable String> texts) throws SQLException {
        PhysicalConnection on = route.physical();
        if (!settings.autoCommit
                && on.isInTransaction()
                && (route.analysis().settings() != null || on.pathAlignment().runsCode(route.analysis()))) {
            local = local == null ? new LocalSettings() : local;
            local.ran(route, texts);
        }
    }

    /**
     * Makes what the transaction has set hold on a connection, which joins the transaction for that.
     *
     * @param joins whether that can be done in the round trip of the connection's next statement
     * @return what has to be executed before that, see {@link #settingsHoldOn}; null for nothing
     */
    public @Nullable String settingsFor(PhysicalConnection physical, boolean joins) throws SQLException {
        String lacking = settings.autoCommit || local == null ? null : local.lackedBy(physical);
        if (lacking != null) {
            connections.begin(physical);
            if (joins) {
                return lacking;
            }
            physical.execute(lacking);
            settingsHoldOn(physical);
        }
        return null;
    }

    /** Notes that what {@link #settingsFor} has returned was executed. */
    public void settingsHoldOn(PhysicalConnection physical) {
        if (local != null) {
            local.holdOn(physical);
        }
    }

    /**
     * Returns what the transaction has set, as columns of a query for another connection; empty if there is
     * nothing.
     */
    public String localSettings() throws SQLException {
        connections.requireOwn(null);
        return settings.autoCommit || local == null ? "" : local.all();
    }

    /** Commits on all databases, or on none, and ends the transaction in any case. */
    public void commit() throws SQLException {
        try {
            if (commit != null) {
                commit.requireKnown();
            }
            connections.commit(failed, writtenDatabase);
        } finally {
            end();
        }
    }

    /** Fails, after it has rolled back what it can, if the last write was committed. */
    public void rollback() throws SQLException {
        try {
            connections.rollback();
            requireUncommitted();
        } finally {
            end();
        }
    }

    /** Forgets everything, and gives the connections back. */
    private void end() {
        written = null;
        writtenDatabase = null;
        commit = null;
        local = null;
        lastWrite = null;
        savepoints.clear();
        settings.savepoints.clear();
        settings.claiming = false;
        failed = Set.of();
        prepared = false;
        if (replicas != null) {
            replicas.clear();
        }
        connections.releaseAll();
    }

    /**
     * Sets a savepoint on each database that takes part in the transaction.
     *
     * @param name its name; null for none
     */
    public Savepoint setSavepoint(@Nullable String name) throws SQLException {
        requireNoFailure();
        if (name != null && name.isEmpty()) {
            throw new SQLException("The name of a savepoint is not empty.", "42601");
        }
        RoutingSavepoint savepoint = new RoutingSavepoint(
                ++lastSavepoint,
                name,
                written,
                writtenDatabase,
                local == null ? new LocalSettings.Mark(0, null) : local.mark(),
                new HashMap<>(2));
        for (PhysicalConnection touched : connections.inTransaction()) {
            savepoint.set(touched);
        }
        savepoints.add(savepoint);
        settings.savepoints.add(savepoint.sqlName());
        return savepoint;
    }

    /**
     * Undoes on all databases what was done since a savepoint. The binding to a shard is that of the savepoint,
     * so that another shard may be written if nothing was written before. A database may still have a
     * transaction id, which proves no write any more.
     */
    public void rollback(Savepoint savepoint) throws SQLException {
        RoutingSavepoint target = savepoints.get(indexOf(savepoint));
        requireUncommitted();
        Failures.forEach(connections.inTransaction(), touched -> {
            touched.mayHaveTransactionId = true;
            target.rollback(touched, settings);
        });
        written = target.written;
        writtenDatabase = target.writtenDatabase;
        if (local != null) {
            local.backTo(target.local);
        }
        failed = Set.of(); // it was set while nothing had failed
        forgetFrom(indexOf(savepoint) + 1);
    }

    /** Releases a savepoint and all later ones. */
    public void release(Savepoint savepoint) throws SQLException {
        requireNoFailure();
        int index = indexOf(savepoint);
        RoutingSavepoint target = savepoints.get(index);
        for (PhysicalConnection touched : connections.inTransaction()) {
            target.release(touched);
        }
        forgetFrom(index);
    }

    private void forgetFrom(int index) {
        savepoints.subList(index, savepoints.size()).clear();
        settings.savepoints.subList(index, settings.savepoints.size()).clear();
    }

    @SuppressWarnings("ReferenceEquality") // a savepoint is itself only
    private int indexOf(Savepoint savepoint) throws SQLException {
        for (int i = 0; i < savepoints.size(); i++) {
            if (savepoints.get(i) == savepoint) {
                return i;
            }
        }
        throw new SQLException(
                "The savepoint belongs to another transaction, or was released or rolled back.", "3B001");
    }

    /**
     * One savepoint on every database on which the transaction had begun, and the write binding as it was.
     *
     * <p>Where the transaction begins later, it is set at the begin if the transaction has one snapshot; else a
     * rollback to the savepoint rolls back the whole part of that database.
     */
    private record RoutingSavepoint(
            int id,
            @Nullable String name,
            Target.@Nullable Single written,
            @Nullable String writtenDatabase,
            LocalSettings.Mark local,
            Map<PhysicalConnection, PhysicalConnection.Use> parts)
            implements Savepoint {
        /** Returns the name on each database. Names of the application could be equal to each other. */
        String sqlName() {
            return "sharded_id_" + id;
        }

        void set(PhysicalConnection physical) throws SQLException {
            PhysicalConnection.Use use = physical.use();
            physical.touched = true;
            physical.execute("SAVEPOINT " + sqlName());
            parts.put(physical, use);
        }

        /**
         * Undoes what was done on a database since. A part that began later, and has no snapshot to keep, is
         * rolled back and begins again.
         */
        void rollback(PhysicalConnection physical, ConnectionSettings settings) throws SQLException {
            PhysicalConnection.Use use = parts.get(physical);
            if (use == null && !physical.snapshot) {
                physical.rollback();
                physical.begin(settings);
                return;
            }
            physical.session().rolledBackToSavepoint();
            physical.execute("ROLLBACK TO SAVEPOINT " + sqlName());
            physical.backTo(use == null ? PhysicalConnection.Use.NONE : use);
        }

        void release(PhysicalConnection physical) throws SQLException {
            if (parts.remove(physical) != null || physical.snapshot) {
                physical.execute("RELEASE SAVEPOINT " + sqlName());
            }
        }

        @Override
        public int getSavepointId() throws SQLException {
            if (name != null) {
                throw new SQLException("The savepoint has a name, " + name + ", not a number.");
            }
            return id;
        }

        @Override
        public String getSavepointName() throws SQLException {
            if (name == null) {
                throw new SQLException("The savepoint has a number, " + id + ", not a name.");
            }
            return name;
        }
    }
}
