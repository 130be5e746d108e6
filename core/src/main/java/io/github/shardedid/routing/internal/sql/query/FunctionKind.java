package io.github.shardedid.routing.internal.sql.query;

/** What matters of a function to queries over several shards. */
public enum FunctionKind {
    /** Computes a value from its arguments, the same in each shard. */
    PLAIN,
    /** The same, but another one each time. */
    VOLATILE,
    /** Returns several rows. */
    ROWS,
    /** An aggregate, or a window function. */
    AGGREGATE,
    /** An aggregate of the application that may read other rows. */
    UNKNOWN_AGGREGATE,
    /** There is no function of that name. */
    NONE,
    /** May read other rows, or do something. */
    UNKNOWN;

    /** Returns the less harmless kind, for a name that has one kind in one database and another in the next. */
    FunctionKind and(FunctionKind other) {
        if (this == other || other == NONE) {
            return this;
        } else if (this == NONE) {
            return other;
        }
        boolean aggregate = this == AGGREGATE || other == AGGREGATE;
        return aggregate || this == UNKNOWN_AGGREGATE || other == UNKNOWN_AGGREGATE
                ? UNKNOWN_AGGREGATE
                : compareTo(other) > 0 ? this : other;
    }
}
