/** Runs the application's Flyway scripts in the schema of a shard, and tells which shards are up to date. */
@NullMarked
package io.github.shardedid.provisioning.internal.migration;

import org.jspecify.annotations.NullMarked;
