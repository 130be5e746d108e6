package io.github.shardedid.test.matrix;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Where the row is that an operation is about, and what was there before. Eight shards: 0 to 3 on the first database, 4
 * to 7 on the second.
 */
public enum Situation {
    /** The scope of the row's shard is open. */
    RIGHT_SHARD("right shard", 1, 1, null, null),
    /** The row is on the second database; a scope of the first is open, from which something was read. */
    OTHER_DATABASE("other database", 6, 1, 1, null),
    /** The id or the scope names a shard that the cluster does not have. */
    UNKNOWN_SHARD("unknown shard", 100, 1, null, null),
    /** No scope is open. */
    NO_SCOPE("no scope", 1, null, null, null),
    /** The transaction has written another shard of the same database. */
    WROTE_BESIDE("has written another shard", 1, null, null, 2),
    /** The transaction has written a shard of the other database. */
    WROTE_ELSEWHERE("has written another shard", 1, null, null, 5);

    private final String column;
    private final int shard;
    private final @Nullable Integer scope;
    private final @Nullable Integer readBefore;
    private final @Nullable Integer writtenBefore;

    Situation(
            String column,
            int shard,
            @Nullable Integer scope,
            @Nullable Integer readBefore,
            @Nullable Integer writtenBefore) {
        this.column = column;
        this.shard = shard;
        this.scope = scope;
        this.readBefore = readBefore;
        this.writtenBefore = writtenBefore;
    }

    /** The heading of its column on the page. */
    public String column() {
        return column;
    }

    /** The shard of the row. */
    public int shard() {
        return shard;
    }

    /** The scope that is open around an operation; one that needs a scope is given that of its row, if any. */
    OptionalInt scope(boolean needed) {
        boolean none = this == NO_SCOPE || (!needed && scope == null);
        return none ? OptionalInt.empty() : OptionalInt.of(needed || scope == null ? shard : scope);
    }

    @Nullable
    Integer readBefore() {
        return readBefore;
    }

    @Nullable
    Integer writtenBefore() {
        return writtenBefore;
    }

    /** Whether it can be without a transaction. */
    boolean outsideTransactions() {
        return writtenBefore == null;
    }

    @Override
    public String toString() {
        return switch (this) {
            case WROTE_BESIDE -> "has written another shard of this database";
            case WROTE_ELSEWHERE -> "has written a shard of the other database";
            default -> column;
        };
    }
}
