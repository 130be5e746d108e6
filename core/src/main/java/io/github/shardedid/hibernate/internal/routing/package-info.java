/** Determines where a row belongs: the shard or the global database of an id, the shard of a new row, and the ids themselves. */
@NullMarked
package io.github.shardedid.hibernate.internal.routing;

import org.jspecify.annotations.NullMarked;
