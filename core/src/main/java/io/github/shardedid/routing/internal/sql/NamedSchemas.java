package io.github.shardedid.routing.internal.sql;

/**
 * The schemas that a SQL text names by their placeholders: those of a shard, of the global entities, both, or
 * none. Replicated tables, which each database has, are named beside either; {@code REPLICATED} is a text that only reads them.
 */
public enum NamedSchemas {
    NONE,
    REPLICATED,
    SHARD,
    GLOBAL,
    MIXED;

    /** Returns what a text names that has both. */
    public NamedSchemas and(NamedSchemas other) {
        if (this == NONE || this == other || (this == REPLICATED && other != NONE)) {
            return other;
        }
        return other == NONE || other == REPLICATED ? this : MIXED;
    }

    /** Returns whether global or replicated tables are among them, so that the rows are not those of several shards. */
    public boolean nameGlobal() {
        return this == GLOBAL || this == MIXED || this == REPLICATED;
    }
}
