/** Queries over several shards: one statement per chunk of shards, several at a time, and one result of all. */
@NullMarked
package io.github.shardedid.routing.internal.scatter;

import org.jspecify.annotations.NullMarked;
