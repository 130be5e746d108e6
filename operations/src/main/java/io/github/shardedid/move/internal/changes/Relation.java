package io.github.shardedid.move.internal.changes;

import java.util.List;

/**
 * A table whose rows have changed.
 *
 * @param name without the schema
 * @param columns those that are sent, without generated ones
 * @param key those that identify a row in an update or delete; all columns if {@code full}
 * @param full whether its replica identity is {@code FULL}
 */
public record Relation(String name, List<String> columns, List<String> key, boolean full) {}
