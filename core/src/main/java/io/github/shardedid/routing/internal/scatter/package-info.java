/**
 * Queries over several shards: one statement per chunk of shards, several at a time, and one result of all. A
 * list of ids is sent in parts, to each shard its own.
 *
 * <p>{@code ScatterSource} makes the statements of a connection; {@code ScatterStatement} executes one; {@code
 * ScatterRun} and its {@code ScatterWorker}s ask the databases; {@code MergedRows}, {@code SortOrder} and
 * {@code ServerMerge} merge the rows. What may be asked at all is decided by {@code sql.query}.
 */
@NullMarked
package io.github.shardedid.routing.internal.scatter;

import org.jspecify.annotations.NullMarked;
