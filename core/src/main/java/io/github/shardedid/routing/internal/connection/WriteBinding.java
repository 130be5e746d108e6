package io.github.shardedid.routing.internal.connection;

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
    private @Nullable SQLException unknown;

    /** The transaction's write was a transaction of its own: only the commit may follow. */
    public void committed() {
        committed = true;
    }

    /** The same, but whether it has arrived is unknown. */
    public void committedPerhaps(SQLException failure) {
        committed = true;
        unknown = failure;
    }

    /** Fails if it is unknown whether the transaction's write was committed. */
    void requireKnown() throws SQLException {
        if (unknown != null) {
            throw unknown;
        }
    }

    /** The transaction has ended. */
    void clear() {
        bound = NONE;
        committed = false;
        unknown = null;
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
