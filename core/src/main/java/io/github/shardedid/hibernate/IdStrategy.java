package io.github.shardedid.hibernate;

/** How the id of a new row is generated. The ids of all strategies are unique together, so strategies may be mixed on one table. */
public enum IdStrategy {
    /** The database, in blocks reserved by {@code next_id_block} ahead of the insert; keeps JDBC batching. */
    DATABASE,
    /**
     * This JVM, under the lease of a node of the shard, which is acquired and renewed in the background: no round trip. Without a
     * lease, ids come from the database's blocks. Needs a layout with JVM nodes.
     */
    JVM,
    /** The database, by the column's default, in the round trip of the insert; no JDBC batching. */
    COLUMN_DEFAULT
}
