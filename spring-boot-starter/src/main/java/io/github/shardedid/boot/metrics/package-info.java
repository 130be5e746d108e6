/**
 * Meters of ids, leases, statements, replicas, moves and connection pools. They count by database, as there may be thousands of\n * shards.
 */
@NullMarked
package io.github.shardedid.boot.metrics;

import org.jspecify.annotations.NullMarked;
