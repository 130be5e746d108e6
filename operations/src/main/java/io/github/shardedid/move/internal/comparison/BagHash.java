package io.github.shardedid.move.internal.comparison;

import java.math.BigDecimal;

/** Of several rows in any order: how many there are, and the sum of their hashes. */
record BagHash(long rows, BigDecimal sum) {}
