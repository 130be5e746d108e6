package io.github.shardedid.routing.internal.sql;

/** Whose schemas a SQL text names by their placeholders. */
public enum NamedSchemas {
    NONE,
    SHARD,
    GLOBAL,
    MIXED;

    public NamedSchemas and(NamedSchemas other) {
        return this == NONE || this == other ? other : MIXED;
    }

    /** Returns whether the schema of the global entities is among them. */
    public boolean nameGlobal() {
        return this == GLOBAL || this == MIXED;
    }
}
