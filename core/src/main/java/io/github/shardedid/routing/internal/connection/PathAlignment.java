package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.internal.session.NameCatalogs;
import io.github.shardedid.routing.internal.session.SessionPath;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Sends what makes the search path of a physical connection's session right: before each statement, and before a commit, at which
 * deferred triggers run. For one thread at a time.
 */
public record PathAlignment(PhysicalConnection physical, NameCatalogs names) {
    /** Those that the driver reads bit by bit, and those that statements and functions have opened. */
    private static final String CURSORS =
            "SELECT pg_catalog.count(*) > 0 FROM pg_catalog.pg_cursors c WHERE c.name OPERATOR(pg_catalog.<>) ''";

    /**
     * What has to be executed before a statement, so that the search path names its schema, or none, while it runs; null if that is so
     * already.
     *
     * @param schema the statement's; null if it has several
     * @param dependent whether the path must name it; else it may also name none
     */
    public @Nullable String before(@Nullable String schema, boolean dependent) throws SQLException {
        SessionPath path = physical.path();
        if (physical.isHandedOut()) {
            path.forget();
        }
        String correction = path.correction(schema, dependent, physical.isWithinTransaction(), physical.reportedPath());
        if (correction != null) {
            if (physical.isWithinTransaction()
                    && dependent
                    && path.leaves(schema)
                    && (physical.use().mayHaveCursors || physical.use().mayHaveWritten)) {
                requireNoCursors(String.valueOf(schema));
            }
            path.forget();
        }
        path.used(schema, dependent, physical.isWithinTransaction());
        return correction;
    }

    /** What {@link #before} has returned was executed. */
    public void set() throws SQLException {
        physical.path().corrected(physical.isWithinTransaction());
    }

    /** Executes it, which is one round trip. */
    public void align(@Nullable String schema, boolean dependent) throws SQLException {
        String correction = before(schema, dependent);
        if (correction != null) {
            physical.attempt(target -> PhysicalConnection.execute(target, correction));
            set();
        }
    }

    /** What a cursor still has to read would be read under the other shard's path. */
    private void requireNoCursors(String schema) throws SQLException {
        boolean[] open = new boolean[1];
        physical.attempt(target -> {
            try (Statement statement = target.createStatement();
                    ResultSet row = statement.executeQuery(CURSORS)) {
                row.next();
                open[0] = row.getBoolean(1);
            }
        });
        if (open[0]) {
            throw new SQLException(
                    "A cursor opened for another shard is still open in this transaction on database "
                            + physical.database() + ". Its remaining rows would be read from " + schema
                            + ". Close its result set first, or write the schema placeholder before the names of tables."
                            + " Nothing was sent.",
                    "55000");
        }
    }

    /** Reads the names that the database's catalog has, if they are not known, and can be read now. */
    public void readNames() throws SQLException {
        if (names.isOutdated(physical.name()) && !physical.hasFailed()) {
            physical.attempt(target -> names.refresh(physical.name(), target));
        }
    }

    /** Whether what a statement runs is known to write nothing but what its text says, and to set nothing. */
    public boolean isHarmless(SqlAnalysis analysis) {
        return analysis.in(names.known()).harmless();
    }

    /** Whether what a statement writes to may run code of the application. */
    public boolean runsTriggers(SqlAnalysis analysis) {
        return analysis.in(names.known()).triggers();
    }

    /** Whether a query over several shards has names that mean something else by the path of each. */
    public boolean isOfShard(SqlAnalysis analysis) throws SQLException {
        readNames();
        return analysis.in(names.known()).ofShard();
    }

    /** A statement of the transaction is about to run. */
    public void begins(SqlAnalysis analysis) {
        if (!isHarmless(analysis)) {
            physical.use().mayHaveWritten = true;
        }
    }

    /** A statement has run, which may have changed the search path, or whose deferred triggers are still to run. */
    public void ran(SqlAnalysis analysis) throws SQLException {
        SessionPath path = physical.path();
        boolean harmless = isHarmless(analysis);
        if (analysis.traits().writes()) {
            path.wrote();
        } else if (!harmless) {
            path.mayHaveWritten();
        }
        if (!harmless) {
            path.forget();
        } else if (runsTriggers(analysis)) {
            path.doubt();
        }
        if (analysis.names().defines()) {
            if (physical.isInTransaction()) {
                physical.use().defined = true;
            }
            names.changed(physical.name());
        }
    }

    /** The transaction has ended: what it has defined is there for all, or is not there any more. */
    void ended() {
        if (physical.use().defined) {
            physical.use().defined = false;
            names.changed(physical.name());
        }
    }

    /**
     * What has to be executed before a commit, or nothing: deferred triggers of what was written must not run under the path of a shard
     * that was asked later.
     */
    String beforeCommit() throws SQLException {
        String correction = physical.path().correctionForCommit(physical.reportedPath());
        return correction == null || physical.hasFailed() ? "" : correction + "; ";
    }
}
