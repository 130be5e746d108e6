package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.target.Databases;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one target that a transaction writes to, a shard or the global entities, and what is known of a write that was its commit, too. */
public final class WriteBinding {
    /** Nothing has been written. */
    static final Bound NONE = new Bound(null, null);

    private Bound bound = NONE;
    private boolean committed;
    /** The database from which the answer to a write that is a transaction of its own is awaited. */
    private @Nullable String awaited;

    private @Nullable SQLException unknown;

    /** The transaction's write is sent as a transaction of its own. Until it is answered, its outcome is unknown. */
    public void sending(String database) {
        ended(true, database, null);
    }

    /** It was refused: the transaction has written nothing. */
    public void refused() {
        ended(false, null, null);
    }

    /** It has succeeded: only the commit may follow. */
    public void committed() {
        ended(true, null, null);
    }

    /** The same, but whether it has arrived is unknown. */
    public void committedPerhaps(SQLException failure) {
        ended(true, null, failure);
    }

    private void ended(boolean perhaps, @Nullable String database, @Nullable SQLException failure) {
        committed = perhaps;
        awaited = database;
        unknown = failure;
    }

    /** Fails if the transaction's write was committed, perhaps: there is no way back. */
    void requireUncommitted() throws SQLException {
        requireKnown();
        if (committed) {
            throw new SQLException(
                    "This transaction was committed together with its last write, to database " + bound.database
                            + ", after which nothing was to fail: it cannot be rolled back. What was written stays.",
                    "2D000");
        }
    }

    /** Fails if it is unknown whether the transaction's write was committed. */
    void requireKnown() throws SQLException {
        if (unknown != null) {
            throw unknown;
        }
        if (awaited != null) {
            throw new SQLException(
                    "The last write of this transaction, to database " + awaited + ", was to be its commit, and was"
                            + " interrupted: whether it has taken effect is not known.",
                    ConnectionLostException.OUTCOME_UNKNOWN);
        }
    }

    /** The transaction has ended. */
    void clear() {
        bound = NONE;
        ended(false, null, null);
    }

    /** What is bound now; a savepoint keeps it. */
    Bound bound() {
        return bound;
    }

    void restore(Bound earlier) {
        bound = earlier;
    }

    /** Where the transaction writes, or null if nothing was written or declared. */
    public Target.@Nullable Single target() {
        return bound.target;
    }

    /** The database to which a write was sent, or null if none was. */
    public @Nullable String database() {
        return bound.database;
    }

    /** Refuses a second target; {@code what} is only asked for its message. */
    public void check(Target.Single target, Supplier<String> what, Databases databases) {
        Target.Single written = bound.target;
        if (committed) {
            throw new IllegalStateException(
                    "This transaction was committed together with its last write, after which nothing was"
                            + " to follow; refused, and not sent, was " + what.get() + ".");
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
     * Binds a checked target; the database only if a statement is about to be sent there. It becomes another one if the shard has
     * moved before anything was done with it.
     */
    public void bind(Target.Single target, @Nullable String database) {
        if (bound.target == null || (database != null && !database.equals(bound.database))) {
            bound = new Bound(target, database);
        }
    }

    record Bound(Target.@Nullable Single target, @Nullable String database) {}
}
