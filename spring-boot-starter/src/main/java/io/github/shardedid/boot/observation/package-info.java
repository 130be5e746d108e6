/**
 * Micrometer observations of statements, queries over several shards, waits and moves: spans if the application traces, and timers
 * if it has metrics. Only the auto-configuration needs Spring.
 */
@NullMarked
package io.github.shardedid.boot.observation;

import org.jspecify.annotations.NullMarked;
