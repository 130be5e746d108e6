package io.github.shardedid.routing.internal.sql;

/**
 * The schemas that a SQL text names by their placeholders: those of a shard, of the global entities, both, or
 * none.
 */
public enum NamedSchemas {
    NONE,
    SHARD,
    GLOBAL,
    MIXED;

    /** Returns what a text names that has both. */
    public NamedSchemas and(NamedSchemas other) {
        return this == NONE || this == other ? other : MIXED;
    }

    /** Returns whether the schema of the global entities is among them. */
    public boolean nameGlobal() {
        return this == GLOBAL || this == MIXED;
    }
}
