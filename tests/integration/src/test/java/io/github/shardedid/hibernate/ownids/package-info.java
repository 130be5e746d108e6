/** Entities whose ids name no shard, and that live with their parent by {@code @ShardKey}. */
@NullMarked
package io.github.shardedid.hibernate.ownids;

import org.jspecify.annotations.NullMarked;
