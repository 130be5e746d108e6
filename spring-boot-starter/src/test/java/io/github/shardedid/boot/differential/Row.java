package io.github.shardedid.boot.differential;

import org.jspecify.annotations.Nullable;

/** An entity that knows by which number the steps call it. */
interface Row {
    @Nullable
    Long getId();

    int number();

    void become(String value);

    /** The id that says in which shard this row is to live, if it is new; null for a root. */
    @Nullable
    Long parent();
}
