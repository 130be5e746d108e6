/** The parameters of queries over several shards: set once, and sent to each; of a list of ids, each shard is sent its own. */
@NullMarked
package io.github.shardedid.routing.internal.scatter.parameters;

import org.jspecify.annotations.NullMarked;
