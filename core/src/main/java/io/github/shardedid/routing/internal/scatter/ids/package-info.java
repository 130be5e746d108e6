/** Lists of ids, of which each shard is sent its own. */
@NullMarked
package io.github.shardedid.routing.internal.scatter.ids;

import org.jspecify.annotations.NullMarked;
