package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.internal.session.NameCatalogs;
import io.github.shardedid.routing.internal.session.Session;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends what makes the search path of a physical connection's session right: before each statement, and before
 * a commit, at which deferred triggers run. For one thread at a time.
 *
 * <p>{@link Session} knows the path, and this class knows what statements do to it. While a statement runs,
 * the path names that statement's shard or no shard: with that of another shard, a name without a schema would
 * silently mean that one's table. Most texts name all schemas, and the path stays as it is, since each change
 * makes the driver throw away the prepared statements of the session.
 *
 * @param physical the connection
 * @param names what the catalogs say of the names in statements
 */
public record PathAlignment(PhysicalConnection physical, NameCatalogs names) {
    /**
     * Asks for cursors that are open: those that the driver reads in parts, and those that statements and
     * functions have opened. The unnamed one is that of the question itself.
     */
    private static final String CURSORS =
            "SELECT pg_catalog.count(*) > 0 FROM pg_catalog.pg_cursors c WHERE c.name OPERATOR(pg_catalog.<>) ?";

    /**
     * Returns what has to be executed before a statement, so that the search path names its schema, or none,
     * while it runs; null if that is so already. If it is executed, {@link #set} must be called. Until then the
     * path counts as unknown, as the execution may fail.
     *
     * @param schema the statement's; null if it has several
     * @param dependent whether the path must name it; else it may also name none
     * @param analysis of the statement, which may be shadowed; null if it is not known
     * @throws SQLException if a cursor of another shard is still open, which would be read by the new path
     */
    public @Nullable String before(@Nullable String schema, boolean dependent, @Nullable SqlAnalysis analysis)
            throws SQLException {
        Session session = physical.session();
        if (physical.isHandedOut()) {
            session.forgetPath();
        }
        boolean inTransaction = physical.isWithinTransaction();
        String correction = dependent
                        && schema != null
                        && analysis != null
                        && analysis.in(names.known()).shadowed()
                ? session.requiring(schema, inTransaction)
                : session.correction(schema, dependent, inTransaction, physical.reportedPath());
        if (correction != null) {
            if (inTransaction
                    && dependent
                    && session.leaves(schema)
                    && (physical.mayHaveCursors || physical.mayHaveWritten)) {
                requireNoCursors(String.valueOf(schema));
            }
            session.forgetPath();
        }
        session.used(schema, dependent, physical.isWithinTransaction());
        return correction;
    }

    /** Notes that what {@link #before} has returned was executed. */
    public void set() throws SQLException {
        physical.session().corrected(physical.isWithinTransaction());
    }

    /** Executes what {@link #before} returns, if anything, in one round trip. */
    public void align(@Nullable String schema, boolean dependent, @Nullable SqlAnalysis analysis) throws SQLException {
        String correction = before(schema, dependent, analysis);
        if (correction != null) {
            physical.execute(correction);
            set();
        }
    }

    /**
     * Refuses to change the path while a cursor is open: what it still has to read would be read under the
     * other shard's path.
     */
    private void requireNoCursors(String schema) throws SQLException {
        if (physical.isTrue(CURSORS, "")) {
            throw new SQLException(
                    "A cursor opened for another shard is still open in this transaction on database "
                            + physical.database() + ". Its remaining rows would be read from " + schema
                            + ". Close its result set first, or write the schema placeholder before the names of tables."
                            + " Nothing was sent.",
                    "55000");
        }
    }

    /**
     * Reads the names of the database's catalog, if they are not known. In a transaction that has failed it
     * reads nothing, since the server would refuse the query.
     */
    public void readNames() throws SQLException {
        if (names.isOutdated(physical.name()) && !physical.hasFailed()) {
            physical.attempt(target -> names.refresh(physical.name(), target));
        }
    }

    /**
     * Returns whether what a statement runs is known to write nothing but what its text says, and to set
     * nothing.
     */
    public boolean isHarmless(SqlAnalysis analysis) {
        return analysis.in(names.known()).harmless();
    }

    /** Returns whether a statement may call code by itself that sets or writes something. */
    boolean callsCode(SqlAnalysis analysis) {
        return analysis.callsCode() && !isHarmless(analysis);
    }

    /** Returns whether a statement may run such code, by itself or by a trigger. */
    boolean runsCode(SqlAnalysis analysis) {
        return callsCode(analysis) || runsTriggers(analysis);
    }

    /** Returns whether what a statement writes to may run code of the application. */
    public boolean runsTriggers(SqlAnalysis analysis) {
        return analysis.in(names.known()).triggers();
    }

    /**
     * Returns whether a query over several shards has names that mean something else by the path of each. Such
     * a query is sent to each shard by itself.
     */
    public boolean isOfShard(SqlAnalysis analysis) throws SQLException {
        readNames();
        return analysis.in(names.known()).ofShard();
    }

    /**
     * Notes what a statement that has run may have done: it may have changed the search path, defined objects,
     * or left triggers that run at commit. Called after failures, too, as part of a text may have been
     * executed.
     */
    public void ran(SqlAnalysis analysis) throws SQLException {
        Session session = physical.session();
        boolean harmless = isHarmless(analysis);
        if (analysis.writes()) {
            session.wrote();
        } else if (!harmless) {
            session.mayHaveWritten();
        }
        if (!harmless) {
            session.forgetPath();
        } else if (runsTriggers(analysis)) {
            session.doubtPath();
        }
        if (analysis.defines()) {
            if (physical.isInTransaction()) {
                physical.defined = true;
            }
            names.changed(physical.name());
        }
    }

    /**
     * Notes that the transaction has ended: what it has defined is visible to all sessions, or does not exist
     * any more.
     */
    void ended() {
        if (physical.defined) {
            physical.defined = false;
            names.changed(physical.name());
        }
    }

    /**
     * Returns what has to be executed before a commit, with a semicolon, or an empty text: deferred triggers of
     * what was written must not run under the path of a shard that was asked later.
     */
    String beforeCommit() throws SQLException {
        String correction = physical.session().correctionForCommit(physical.reportedPath());
        return correction == null || physical.hasFailed() ? "" : correction + "; ";
    }
}
