package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.Target;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one target that a transaction writes to, a shard or the global entities, and the write that committed it,
 * too.
 *
 * <p>A transaction writes to one shard only, also if two are on one database: what works must not depend on
 * where shards happen to be, as a move would break it. The second one is refused before anything of it is sent.
 * A flush declares its target before its first statement, so that the binding may name one to which nothing was
 * sent yet.
 */
public final class WriteBinding {
    /** Nothing has been written. */
    static final Bound NONE = new Bound(null, null);

    private Bound bound = NONE;
    /** The write that was sent together with its commit; null if there is none. */
    private @Nullable SingleTripCommit commit;

    /** Notes that the transaction's last write is sent together with its commit. */
    public void sending(SingleTripCommit last, String database) {
        last.sent(database);
        commit = last;
    }

    /** Notes that the database has refused that write: the transaction has written nothing. */
    public void refused() {
        commit = null;
    }

    /** Fails if the transaction's last write was committed, perhaps. */
    void requireUncommitted() throws SQLException {
        if (commit != null) {
            commit.requireUncommitted();
        }
    }

    /** Fails if it is unknown whether the transaction's last write was committed. */
    void requireKnown() throws SQLException {
        if (commit != null) {
            commit.requireKnown();
        }
    }

    /** Notes that the transaction has ended. */
    void clear() {
        bound = NONE;
        commit = null;
    }

    /** Returns what is bound now, for a savepoint. */
    Bound bound() {
        return bound;
    }

    void restore(Bound earlier) {
        bound = earlier;
    }

    /** Returns where the transaction writes, or null if nothing was written or declared. */
    public Target.@Nullable Single target() {
        return bound.target;
    }

    /** Returns the database to which a write was sent, or null if none was. */
    public @Nullable String database() {
        return bound.database;
    }

    /**
     * Refuses a second target, and any write after the last one has committed the transaction.
     *
     * @param what what is to be written; asked only for the message
     */
    public void check(Target.Single target, Supplier<String> what, Databases databases) {
        Target.Single written = bound.target;
        if (commit != null) {
            throw commit.refusal(what.get());
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
     * Binds a checked target; the database only if a statement is about to be sent there. It becomes another
     * one if the shard has moved before anything was done with it.
     */
    public void bind(Target.Single target, @Nullable String database) {
        if (bound.target == null || (database != null && !database.equals(bound.database))) {
            bound = new Bound(target, database);
        }
    }

    /** A target, and the database to which a write for it was sent; both null if there is none. */
    record Bound(Target.@Nullable Single target, @Nullable String database) {}
}
