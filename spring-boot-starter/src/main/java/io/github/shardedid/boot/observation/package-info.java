/**
 * Micrometer observations of statements, queries over several shards, waits and moves: spans if the application traces, and timers
 * if it has metrics. Meters of what is no observation: ids, leases, replicas, the shard map, and the progress of moves. They count by
 * database, as there may be thousands of shards. Only the auto-configurations need Spring.
 */
@NullMarked
package io.github.shardedid.boot.observation;

import org.jspecify.annotations.NullMarked;
