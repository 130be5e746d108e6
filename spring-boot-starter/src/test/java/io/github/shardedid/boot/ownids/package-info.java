/** An application with entities whose ids name no shard. */
@NullMarked
package io.github.shardedid.boot.ownids;

import org.jspecify.annotations.NullMarked;
