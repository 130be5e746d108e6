package io.github.shardedid.move;

/** What a plan balances between the databases of a cluster. */
public enum Balance {
    /** By the bytes that the shards' tables and indexes take. */
    SIZE,
    /** By the number of shards. */
    COUNT
}
