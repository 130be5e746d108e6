package io.github.shardedid.hibernate;

/** Who makes the id of a new row. All make ids of one space and may be mixed on one table. */
public enum IdStrategy {
    /** The database, in blocks reserved by {@code next_id_block} ahead of the insert; keeps JDBC batching. */
    DATABASE,
    /**
     * This JVM, under a lease of a node that it takes from the shard's schema and renews in the background: no turn to the
     * database at all. The database's blocks serve while there is no lease. Needs a layout with JVM nodes.
     */
    JVM,
    /** The database, by the column's default, in the turn of the insert itself; no JDBC batching. */
    COLUMN_DEFAULT
}
