package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.SecondWriteShardException;
import org.jspecify.annotations.Nullable;

/** The one shard that a transaction writes to. */
public final class WriteBinding {
    /** No shard has been written. */
    static final Bound NONE = new Bound(-1, null);

    private Bound bound = NONE;

    /** What is bound now; a savepoint keeps it. */
    Bound bound() {
        return bound;
    }

    void restore(Bound earlier) {
        bound = earlier;
    }

    /** The database to which a write was sent, or null if none was. */
    public @Nullable
    String database() {
        return bound.database;
    }

    /** Whether a write to this shard would be one to a second shard. */
    public boolean refuses(int shard) {
        return bound.shard >= 0 && bound.shard != shard;
    }

    /** Refuses a second shard. */
    public void check(int shard, String what, Databases databases) {
        if (refuses(shard)) {
            throw new SecondWriteShardException("This transaction writes to "
                    + databases.describe(bound.shard) + "; refused, and not sent, was a write to "
                    + databases.describe(shard) + ": " + what
                    + ". A transaction writes to one shard only, also if both are on one database. Do this write in a"
                    + " transaction of its own, after this one or with Propagation.REQUIRES_NEW.");
        }
    }

    /**
     * Binds a checked shard; the database only if a statement is about to be sent there. It becomes another one if the shard has
     * moved before anything was done with it.
     */
    public void bind(int shard, @Nullable String database) {
        if (bound.shard < 0 || (database != null && !database.equals(bound.database))) {
            bound = new Bound(shard, database);
        }
    }

    record Bound(int shard, @Nullable String database) {}
}
