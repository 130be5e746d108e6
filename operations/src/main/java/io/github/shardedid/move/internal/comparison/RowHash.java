package io.github.shardedid.move.internal.comparison;

/** The hash of a row, as {@link RowHashing} makes it: equal ones are taken for equal rows. */
record RowHash(long value) {}
