/**
 * Prepares the databases of a cluster: the functions and the cluster's own tables in schema {@code sharded_id}, the
 * schema of each logical shard, and the application's migrations in every one of them. Also asks the databases which
 * shards they own. What a database knows of the cluster counts more than any configuration.
 */
@NullMarked
package io.github.shardedid.provisioning;

import org.jspecify.annotations.NullMarked;
