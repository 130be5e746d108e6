package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has done on a physical connection so far: whether anything at all, and for which targets.
 * A shard that it has used cannot move away before the transaction ends, as its locks are in the way. For one
 * thread at a time.
 */
public final class TransactionUse {
    /**
     * Makes the commit wait for the disk if the transaction has written nothing: a transaction id alone does
     * not, since a transaction may have written to temporary tables only.
     */
    private static final String STORED = "SELECT pg_catalog.pg_logical_emit_message(true, 'sharded-id', '')";

    /** The targets for which something was sent; mostly one. Replaced, never changed. */
    private List<Target.Single> targets = List.of();
    /** The number of settings of the transaction that hold on the connection. */
    int settings;
    /** True if the transaction has one snapshot here, and has had the savepoints from before it began. */
    boolean snapshot;
    /** True if something was sent, so that a failure undoes more than the statement that failed. */
    public boolean touched;
    /** True if the connection stays with the transaction, which has not begun there yet. */
    boolean pinned;
    /** True if ids were reserved that a crash may make again, until a commit has waited for the disk. */
    public boolean reservedIds;
    /**
     * True if there may be a transaction id that proves no write: row locks leave one, and writes that were
     * rolled back to a savepoint.
     */
    public boolean mayHaveTransactionId;
    /** True if something ran that is not known to write nothing. */
    public boolean mayHaveWritten;
    /** True if something ran that fetches its rows in parts. */
    public boolean mayHaveCursors;
    /**
     * What names the transaction in claims of values that are unique over all shards, see {@code RoutingControl.claimant}; null until it was asked
     * for. A rollback to a savepoint forgets it, as it may let go of the lock that keeps the shard here.
     */
    public @Nullable List<String> claimant;
    /** True if something was defined or dropped, which no other session sees before the end of the transaction. */
    public boolean defined;

    /**
     * Waits for the disk if ids were reserved.
     *
     * @param before what has to be executed before, with a semicolon; or empty
     * @param commits whether to commit in the same round trip
     */
    void flushReservations(Connection connection, String before, boolean commits) throws SQLException {
        if (reservedIds || !before.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(before + (reservedIds ? STORED + "; " : "") + (commits ? "COMMIT" : ""));
            }
            reservedIds = false;
        }
    }

    /** Notes that a statement for a target is sent. */
    public void add(Target.Single target) {
        touched = true;
        if (targets.isEmpty()) {
            targets = List.of(target);
        } else if (!has(target)) {
            targets = Stream.concat(targets.stream(), Stream.of(target)).toList();
        }
    }

    public boolean has(Target.Single target) {
        return targets.contains(target);
    }

    /** Returns how many targets there are, for {@link #backTo}. */
    int count() {
        return targets.size();
    }

    /** Notes that everything was rolled back that was done after there were so many targets and settings. */
    void backTo(int earlierTargets, int earlierSettings) {
        targets = targets.stream().limit(earlierTargets).toList();
        settings = earlierSettings;
        claimant = null;
    }

    /** Notes that everything was rolled back. */
    void clear() {
        targets = List.of();
        settings = 0;
        claimant = null;
        touched = false;
        mayHaveTransactionId = false;
        mayHaveWritten = false;
        mayHaveCursors = false;
    }
}
