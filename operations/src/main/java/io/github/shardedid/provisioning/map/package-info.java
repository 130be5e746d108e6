/** The shard map, loaded from what the databases say that they own, and kept up to date. */
@NullMarked
package io.github.shardedid.provisioning.map;

import org.jspecify.annotations.NullMarked;
