package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.session.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The physical connections that a routed one holds now, at most one per database and one per replica used, in
 * the order in which they were opened. For one thread at a time, but for {@link #abort}.
 *
 * <p>At most one per database, since a transaction must see its own writes, and a second connection of one
 * transaction could wait for its locks. A connection joins the transaction as late as possible, because until
 * then it can go back to its pool as soon as its statements are closed, and two transactions that read from
 * each other's databases cannot wait for each other's pools.
 */
public final class PhysicalConnections {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalConnections.class);

    private static final PhysicalConnection[] NONE = {};

    static final String IN_FAILED_TRANSACTION = "25P02";
    private static final String DIVISION_BY_ZERO = "22012";

    /** A transaction that has written nothing, and locked no row, has no transaction id. */
    private static final String WITHOUT_ID = "pg_current_xact_id_if_assigned() is null";

    /**
     * Holds if the transaction has written nothing although it has a transaction id: locked rows, and writes
     * that were rolled back to a savepoint, leave an id that proves nothing.
     *
     * <p>But a write locks what it writes to, up to the end of the transaction, in a mode in which nobody
     * reads, nor locks rows; a rollback to a savepoint lets go of these locks. Looking at all locks takes
     * longer, hence it is done only where there is an id.
     */
    private static final String WITHOUT_LOCKS =
            "not exists (select from pg_locks where pid = pg_backend_pid() and locktype in ('relation', 'object')"
                    + " and mode not in ('AccessShareLock', 'RowShareLock'))";

    /**
     * Fails by a division by zero if something was written, so that the server does not reach the COMMIT behind
     * it.
     */
    private static final String UNWRITTEN = "select 1/(case when " + WITHOUT_ID + " then 1 else 0 end); commit";

    private static final String UNWRITTEN_DESPITE_ID =
            "select 1/(case when " + WITHOUT_ID + " then 1 when " + WITHOUT_LOCKS + " then 1 else 0 end); commit";
    private static final String SAVEPOINT = "sharded_id_commit";

    private final DatabasePools pools;
    private final Sessions sessions;
    private final ConnectionSettings settings;
    /** Replaced, never changed: another thread may read it, and close what is in it. Mostly there is one. */
    private volatile PhysicalConnection[] open = NONE;

    public PhysicalConnections(DatabasePools pools, Sessions sessions, ConnectionSettings settings) {
        this.pools = pools;
        this.sessions = sessions;
        this.settings = settings;
    }

    /** Returns all of them, in an array that must not be changed. */
    public PhysicalConnection[] all() {
        return open;
    }

    @Nullable
    PhysicalConnection find(String database, boolean replica) {
        for (PhysicalConnection physical : open) {
            if (physical.isReplica() == replica && physical.database().equals(database)) {
                return physical;
            }
        }
        return null;
    }

    /** Returns the one to a database itself, if it stays with the transaction; else null. */
    public @Nullable PhysicalConnection pinnedOn(String database) {
        PhysicalConnection held = find(database, false);
        return held != null && held.isPinned() ? held : null;
    }

    /**
     * Returns the connection on which the transaction has used a target; null if it has not used it yet. Its locks keep
     * the shard there: the target's later statements go there, too, whatever the map says by now.
     */
    public @Nullable PhysicalConnection thatUsed(Target.Single target) {
        for (PhysicalConnection physical : open) {
            if (!physical.isReplica() && physical.isInTransaction() && physical.hasUsed(target)) {
                return physical;
            }
        }
        return null;
    }

    /** Returns the database on which the transaction has used a target; null if it has not, and in autocommit. */
    public @Nullable String databaseThatUsed(Target.Single target) {
        PhysicalConnection used = settings.autoCommit ? null : thatUsed(target);
        return used == null ? null : used.database();
    }

    /**
     * Lets go of a connection on which the transaction, if there is one, has done nothing that counts: it is
     * rolled back, and kept only if something else still needs it. It is called before a statement waits for
     * its shard or is sent elsewhere, so that nothing is held meanwhile which other callers may need.
     *
     * @throws SQLException if ids that were taken over it may be lost
     */
    public void giveUp(PhysicalConnection physical) throws SQLException {
        if (physical.isReleased() || (!physical.isInTransaction() && !physical.isUnused())) {
            return;
        }
        try {
            if (physical.isInTransaction()) {
                physical.rollback();
                if (!physical.isUnused()) {
                    physical.flushReservations();
                    physical.begin(settings);
                    return;
                }
            }
        } catch (SQLException e) {
            LOG.debug("A connection to database {} was lost before it could be given up", physical.name(), e);
        }
        physical.flushReservations();
        release(physical);
    }

    /** Returns those whose statements belong to the transaction; the others only serve statements that are open. */
    PhysicalConnection[] inTransaction() {
        return those(PhysicalConnection::isInTransaction);
    }

    /** Returns whether the transaction has done nothing but reserve ids, and that only on this database. */
    public boolean areUnused(String database) {
        return Arrays.stream(open)
                .noneMatch(physical -> physical.isInTransaction()
                        || physical.isHandedOut()
                        || (physical.reservedIds && !physical.database().equals(database)));
    }

    /**
     * Returns whether the transaction has begun on this database only, and claims values there: its last write can then be sent together with the
     * COMMIT.
     */
    boolean areClaiming(String database) throws SQLException {
        boolean claiming = false;
        for (PhysicalConnection physical : open) {
            boolean here = physical.database().equals(database) && !physical.isReplica();
            if (physical.isHandedOut() || (!here && (physical.isInTransaction() || physical.reservedIds))) {
                return false;
            }
            claiming |= here
                    && physical.isClaiming()
                    && physical.pathAlignment().beforeCommit().isEmpty();
        }
        return claiming;
    }

    private PhysicalConnection[] those(Predicate<PhysicalConnection> wanted) {
        PhysicalConnection[] held = open;
        if (held.length < 2) {
            return held.length == 0 || wanted.test(held[0]) ? held : NONE;
        }
        return Arrays.stream(held).filter(wanted).toArray(PhysicalConnection[]::new);
    }

    /**
     * Returns the connection to a database, taken from its pool and set up if there is none yet.
     *
     * @param target for which it is wanted, for messages; null for none in particular
     * @param begins whether its statements belong to the transaction from now on, if there is one
     */
    public PhysicalConnection on(String database, Target.@Nullable Single target, boolean begins) throws SQLException {
        PhysicalConnection held = find(database, false);
        if (held == null) {
            return open(database, target, !begins && !settings.autoCommit, begins);
        }
        if (begins) {
            begin(held);
        }
        return held;
    }

    /**
     * Returns the connection to a database, which then stays with the transaction. It becomes a part of it with
     * the first statement that has to be inside it; or at once behind a pooler, which may give the next
     * statement another session.
     *
     * @param target for which it is wanted, for messages; null for none in particular
     */
    public PhysicalConnection pin(String database, Target.@Nullable Single target) throws SQLException {
        PhysicalConnection held = find(database, false);
        if (held == null) {
            held = open(database, target, false, false);
        }
        if (held.session().pooled) {
            begin(held);
        }
        held.pinned = true;
        return held;
    }

    /** Returns a connection to any database, taken from the first pool that has one if none is held. */
    public PhysicalConnection any(boolean begins) throws SQLException {
        if (open.length > 0) {
            return open[0];
        }
        SQLException failure = null;
        for (String database : pools.names()) {
            try {
                return on(database, null, begins);
            } catch (SQLException e) {
                failure = Failures.add(failure, e);
            }
        }
        throw failure == null ? new SQLException("There is no database.") : failure;
    }

    /**
     * Makes the statements of a connection a part of the transaction, if there is one. A replica takes part in
     * read-only transactions alone.
     */
    public void begin(PhysicalConnection physical) throws SQLException {
        boolean apart = physical.isReplica() && !settings.isReadOnly();
        if (!settings.autoCommit && !apart && !physical.isInTransaction() && !physical.isReleased()) {
            physical.begin(settings);
        }
    }

    /**
     * Opens a connection. If it is lost while it is set up, the database is down: a pool may give connections
     * that it has not tested.
     */
    private PhysicalConnection open(
            String database, Target.@Nullable Single target, boolean forPlainQuery, boolean begins)
            throws SQLException {
        Connection connection =
                pools.connect(database, target, (forPlainQuery && open.length > 0) || settings.beside, open);
        PhysicalConnection physical = new PhysicalConnection(database, null, connection, sessions);
        try {
            hold(physical, begins);
        } catch (SQLException e) {
            throw ConnectionLoss.isLoss(e) ? pools.unavailable(database, target, e, open) : e;
        }
        return physical;
    }

    /** Holds a connection that was opened. If it cannot be set up, it is given back. */
    void hold(PhysicalConnection physical, boolean begins) throws SQLException {
        physical.setUp(ignored -> setUp(physical, begins));
        PhysicalConnection[] held = open;
        PhysicalConnection[] more = Arrays.copyOf(held, held.length + 1);
        more[held.length] = physical;
        open = more;
    }

    /**
     * Sets a new connection up. If the default of its session is not READ COMMITTED, a query in autocommit
     * would not have the snapshot of the transaction, so the connection joins the transaction at once.
     */
    private void setUp(PhysicalConnection physical, boolean begins) throws SQLException {
        physical.start();
        if (begins && !settings.autoCommit) {
            physical.begin(settings);
            return;
        }
        physical.replay(settings);
        if (!settings.autoCommit && !physical.session().readCommitted) {
            physical.begin(settings);
        }
    }

    /** Applies the settings to the connections that are held, after one of them has changed. */
    public void replaySettings() throws SQLException {
        for (PhysicalConnection physical : open) {
            physical.replay(settings);
        }
    }

    /**
     * After autocommit was switched off: those that are still held, as statements of theirs are open, join the
     * transaction, now or with the first statement that has to be inside it.
     */
    public void beginTransaction() throws SQLException {
        for (PhysicalConnection physical : open) {
            if (!settings.defersBegin() || physical.isHandedOut()) {
                begin(physical);
            }
        }
    }

    /**
     * Refuses a target while the application has the driver's own connection to another one: it relies on what
     * unqualified names mean there, and what it sets and writes over it is not seen.
     *
     * @param target where the next statement goes; null for several shards
     */
    public void requireOwn(Target.@Nullable Single target) throws SQLException {
        for (PhysicalConnection physical : open) {
            Target.Single owner = physical.handedOutFor();
            if (owner != null && !owner.equals(target)) {
                throw new SQLException(
                        "The driver's own connection to database " + physical.database() + " was unwrapped for " + owner
                                + "; refused, and not sent, was something for "
                                + (target == null ? "several shards" : target)
                                + ". End the transaction, or close the connection, or take another one for this.",
                        "55000");
            }
        }
    }

    /**
     * Ends a transaction on all databases that it touched. One shard may be written in a transaction, so that at
     * most one database has something to lose, and no two-phase commit is needed:
     *
     * <ol>
     *   <li>If a statement has failed on any database, everything is rolled back.
     *   <li>Ids that were reserved outside of the transaction are made durable.
     *   <li>The databases that were only read commit, each making sure in the same round trip that nothing was
     *       written there. A function can hide a write behind a SELECT.
     *   <li>The written one commits last, so that a failure before leaves nothing behind.
     *   <li>After any failure, what has not been committed is rolled back.
     * </ol>
     *
     * <p>Without a declared write, one database may have been written by a function; it then commits last. A second
     * one is an error.
     *
     * @param failed the databases on which a query outside of the transaction has failed
     * @param writer the database that was written, or null if no write was declared
     * @throws SecondWriteShardException if a second database was written
     */
    void commit(Set<String> failed, @Nullable String writer) throws SQLException {
        PhysicalConnection[] begun = inTransaction();
        try {
            requireNoFailure(failed, begun);
            for (PhysicalConnection physical : those(physical -> physical.reservedIds && !physical.isInTransaction())) {
                physical.flushReservations();
            }
            if (begun.length == 1 || settings.isReadOnly()) {
                for (PhysicalConnection physical : begun) {
                    physical.commit();
                }
            } else {
                commitReadersThen(writer, begun);
            }
        } catch (SQLException | RuntimeException e) {
            try {
                rollback(); // nothing is sent to databases that have committed
            } catch (SQLException | RuntimeException further) {
                e.addSuppressed(further);
            }
            throw e;
        }
    }

    /**
     * Fails if a statement has failed. PostgreSQL answers the COMMIT of a failed transaction with a rollback,
     * which its driver does not report.
     */
    private static void requireNoFailure(Set<String> failed, PhysicalConnection[] begun) throws SQLException {
        String first = failed.isEmpty() ? null : failed.iterator().next();
        for (PhysicalConnection physical : begun) {
            first = first == null && physical.hasFailed() ? physical.database() : first;
        }
        if (first != null) {
            throw new SQLException(
                    "A statement of this transaction has failed on database " + first
                            + ", so that it cannot be committed. Everything was rolled back, on all databases.",
                    IN_FAILED_TRANSACTION);
        }
    }

    /**
     * Commits where nothing was written, and then on the database that was. Without a declared write, a single
     * hidden one is as good as a declared one, so that the transaction must survive the check that finds it.
     */
    private static void commitReadersThen(@Nullable String declared, PhysicalConnection[] begun) throws SQLException {
        String written = declared;
        PhysicalConnection last = null;
        for (int i = 0; i < begun.length; i++) {
            PhysicalConnection physical = begun[i];
            boolean onlyOneLeft = written == null && i == begun.length - 1;
            if (physical.database().equals(declared)) {
                last = physical;
            } else if (onlyOneLeft || !physical.canBeChecked()) {
                physical.commit();
            } else if (!commitUnwritten(physical, written == null)) {
                if (written != null) {
                    throw undeclared(written, physical.database());
                }
                written = physical.database();
                last = physical;
            }
        }
        if (last != null) {
            last.commit();
        }
    }

    private static SecondWriteShardException undeclared(String writer, String other) {
        return new SecondWriteShardException(
                "This transaction wrote to database " + writer + " and, within a statement that looks like a read, to"
                        + " database " + other
                        + ". Everything was rolled back, on all databases. Call what hides the write"
                        + " in a transaction of its own.");
    }

    /** Rolls back everywhere, also where one of them fails. */
    void rollback() throws SQLException {
        Failures.forEach(inTransaction(), PhysicalConnection::rollback);
    }

    /**
     * Commits, in one round trip, unless something was written.
     *
     * @param survives whether the transaction is then as before, rather than failed
     */
    private static boolean commitUnwritten(PhysicalConnection physical, boolean survives) throws SQLException {
        String check = physical.mayHaveTransactionId ? UNWRITTEN_DESPITE_ID : UNWRITTEN;
        try {
            PhysicalConnection.execute(
                    physical.connection(), survives ? "savepoint " + SAVEPOINT + "; " + check : check);
        } catch (SQLException e) {
            if (!DIVISION_BY_ZERO.equals(e.getSQLState())) {
                throw ConnectionLoss.explainCommit(e, physical.database());
            }
            if (survives) {
                physical.execute("rollback to savepoint " + SAVEPOINT);
            }
            return false;
        }
        physical.commit(); // tells the pool; the driver knows that there is nothing left to send
        return true;
    }

    /** Gives a connection back. */
    public void release(PhysicalConnection physical) {
        boolean last = open.length == 1 && open[0] == physical;
        open = last ? NONE : those(other -> other != physical);
        physical.release();
    }

    /** Gives all connections back. */
    public void releaseAll() {
        PhysicalConnection[] held = open;
        open = NONE;
        for (PhysicalConnection physical : held) {
            physical.release();
        }
    }

    /** Returns whether all databases answer to which there is a connection. */
    public boolean areValid(int timeoutSeconds) throws SQLException {
        for (PhysicalConnection physical : open) {
            if (!physical.connection().isValid(timeoutSeconds)) {
                return false;
            }
        }
        return true;
    }

    /** Aborts all connections. May be called by another thread than the one that uses them, as JDBC demands. */
    public void abort(Executor executor) throws SQLException {
        try {
            Failures.forEach(open, physical -> physical.abort(executor));
        } finally {
            releaseAll();
        }
    }
}
