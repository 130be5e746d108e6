/**
 * Jobs that do something in each shard: in parallel, by one process at a time, and continued after a crash. Which shards are done is
 * recorded in the database, not in memory.
 */
@NullMarked
package io.github.shardedid.jobs;

import org.jspecify.annotations.NullMarked;
