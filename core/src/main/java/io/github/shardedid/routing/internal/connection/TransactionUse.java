package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a transaction has done on a physical connection so far: whether anything at all, and for which targets. A shard that it
 * has used cannot move away before the transaction ends, as its locks are in the way. For one thread at a time.
 */
public final class TransactionUse {
    /**
     * Makes the commit wait for the disk if the transaction has written nothing: a transaction id alone does not, since a
     * transaction may have written to temporary tables only.
     */
    private static final String STORED = "SELECT pg_catalog.pg_logical_emit_message(true, 'sharded-id', '')";

    /** Mostly there is one. */
    private List<Target.Single> targets = List.of();
    /** How many settings of the transaction hold on the connection. */
    int settings;
    /** It has one snapshot, and has had the savepoints from before it began. */
    boolean snapshot;
    /** Something was sent, so that a failure takes more with it than the statement that failed. */
    public boolean touched;
    /** The connection stays with the transaction, which has not begun there yet. */
    boolean pinned;
    /** Ids were taken that a crash may make again until a commit has waited for the disk. */
    public boolean reservedIds;
    /** Row locks, and writes that were rolled back to a savepoint, leave a transaction id, which then proves nothing. */
    public boolean mayHaveTransactionId;
    /** Something ran that is not known to write nothing. */
    public boolean mayHaveWritten;
    /** Something ran that reads its rows bit by bit. */
    public boolean mayHaveCursors;
    /** Something was defined or dropped, which nobody else sees before the end of the transaction. */
    public boolean defined;

    /** Waits for the disk if ids were taken; {@code commits} within a transaction, behind what has to come before, if anything. */
    void flushReservations(Connection connection, String before, boolean commits) throws SQLException {
        if (reservedIds || !before.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(before + (reservedIds ? STORED + "; " : "") + (commits ? "COMMIT" : ""));
            }
            reservedIds = false;
        }
    }

    /** A statement for a target is sent. */
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

    /** Returns how many targets there are; for {@link #backTo}. */
    int count() {
        return targets.size();
    }

    /** What was done after there were so many targets and settings was rolled back. */
    void backTo(int earlierTargets, int earlierSettings) {
        targets = targets.stream().limit(earlierTargets).toList();
        settings = earlierSettings;
    }

    /** All was rolled back. */
    void clear() {
        targets = List.of();
        settings = 0;
        touched = false;
        mayHaveTransactionId = false;
        mayHaveWritten = false;
        mayHaveCursors = false;
    }
}
