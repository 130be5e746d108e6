package io.github.shardedid.move.internal;

/** Two hashes of a row's text under different seeds: equal ones are taken for equal rows. */
record RowHash(long first, long second) {}
