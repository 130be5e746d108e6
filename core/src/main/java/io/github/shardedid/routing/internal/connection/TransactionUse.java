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

    private int settings;
    private boolean touched;
    private boolean kept;
    private boolean takenIds;
    private boolean expectsId;

    /** The connection stays with the transaction, which has not begun there yet. */
    void keep() {
        kept = true;
    }

    boolean isKept() {
        return kept;
    }

    /** Ids were taken that a crash may make again until a commit has waited for the disk. */
    public void takeIds() {
        takenIds = true;
    }

    /** A commit has waited for the disk since. */
    public void storedIds() {
        takenIds = false;
    }

    /** Waits for the disk if ids were taken; {@code commits} within a transaction. */
    void storeIds(Connection connection, boolean commits) throws SQLException {
        if (takenIds) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(commits ? STORED + "; COMMIT" : STORED);
            }
            takenIds = false;
        }
    }

    boolean hasTakenIds() {
        return takenIds;
    }

    /** Row locks, and writes that were rolled back to a savepoint, leave a transaction id, which then proves nothing. */
    public void expectId() {
        expectsId = true;
    }

    boolean expectsId() {
        return expectsId;
    }

    /** Whether something was sent, so that a failure takes more with it than the statement that failed. */
    public boolean isTouched() {
        return touched;
    }

    /** Something is sent that belongs to no target in particular. */
    void touch() {
        touched = true;
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

    /** How many targets there are; for {@link #backTo}. */
    int count() {
        return targets.size();
    }

    /** How many settings of the transaction hold on the connection. */
    int settings() {
        return settings;
    }

    void setSettings(int count) {
        settings = count;
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
        expectsId = false;
    }
}
