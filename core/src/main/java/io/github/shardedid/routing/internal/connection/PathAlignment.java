package io.github.shardedid.routing.internal.connection;

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
public record PathAlignment(PhysicalConnection physical) {
    /** Those that the driver reads bit by bit, and those that statements and functions have opened. */
    private static final String CURSORS =
            "SELECT pg_catalog.count(*) > 0 FROM pg_catalog.pg_cursors c WHERE c.name OPERATOR(pg_catalog.<>) ''";

    /**
     * Has the search path name a statement's schema, or none, while it runs; one round trip unless that is so already.
     *
     * @param schema the statement's; null if it has several
     * @param dependent whether the statement has names that mean the schema by the path
     */
    public void align(@Nullable String schema, boolean dependent) throws SQLException {
        SessionPath path = physical.path();
        if (physical.isHandedOut()) {
            path.forget();
        }
        boolean within =
                physical.isInTransaction() || physical.statementTransaction().isOpen();
        String correction = path.correction(schema, dependent, within, physical.reportedPath());
        if (correction != null) {
            if (within && dependent && path.leaves(schema)) {
                requireNoCursors(String.valueOf(schema));
            }
            path.forget();
            physical.attempt(target -> PhysicalConnection.execute(target, correction));
            path.corrected(schema, dependent, within);
        }
        path.used(schema, dependent, within);
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

    /** A statement has run that may have changed the search path, or whose deferred triggers are still to run. */
    public void ran(SqlAnalysis analysis) throws SQLException {
        SessionPath path = physical.path();
        if (analysis.traits().writes()) {
            path.wrote();
        }
        if (analysis.mayChangePath()) {
            path.forget();
        } else if (analysis.traits().writes()) {
            path.doubt();
        }
    }

    /** Deferred triggers of what was written must not run under the path of a shard that was asked later. */
    void beforeCommit() throws SQLException {
        String correction = physical.path().correctionForCommit(physical.reportedPath());
        if (correction != null && !physical.hasFailed()) {
            physical.attempt(target -> PhysicalConnection.execute(target, correction));
            physical.path().correctedForCommit();
        }
    }
}
