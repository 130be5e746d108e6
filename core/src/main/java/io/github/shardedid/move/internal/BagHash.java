package io.github.shardedid.move.internal;

import java.math.BigDecimal;

/** Of several rows in any order: how many there are, and the sums of both hashes. */
record BagHash(long rows, BigDecimal first, BigDecimal second) {}
