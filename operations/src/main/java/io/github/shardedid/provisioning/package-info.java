/**
 * Prepares the databases of a cluster: the functions and tables of schema {@code sharded_id}, the schema of each
 * logical shard, and the application's migrations in each of them.
 * What a database stores takes precedence over the configuration.
 */
@NullMarked
package io.github.shardedid.provisioning;

import org.jspecify.annotations.NullMarked;
