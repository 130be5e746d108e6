/**
 * Queries over several shards: one statement per chunk of shards, several at a time, and one result of all. A list of ids is sent in parts, to each
 * shard its own.
 */
@NullMarked
package io.github.shardedid.routing.internal.scatter;

import org.jspecify.annotations.NullMarked;
