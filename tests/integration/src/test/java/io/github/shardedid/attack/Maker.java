package io.github.shardedid.attack;

/** The way by which a worker gets ids. */
enum Maker {
    /** {@link io.github.shardedid.generator.JvmIdSource}. */
    JVM,
    /** {@link io.github.shardedid.generator.DatabaseIdSource}. */
    DATABASE,
    /** The column's default, through a routed connection. */
    COLUMN,
    /** Plain SQL past the project. */
    SQL
}
