package io.github.shardedid.move.internal.comparison;

import java.math.BigDecimal;

/** The number of rows and the sum of their hashes, in any order. */
record BagHash(long rows, BigDecimal sum) {}
