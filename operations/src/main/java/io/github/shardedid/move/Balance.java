package io.github.shardedid.move;

/** By what a plan makes the databases of a cluster even. */
public enum Balance {
    /** By the bytes that the shards' tables and indexes take. */
    SIZE,
    /** By the number of shards. */
    COUNT
}
