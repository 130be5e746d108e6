/** What the databases have of a shard, and how one copy becomes the shard again. */
@NullMarked
package io.github.shardedid.move.internal.recovery;

import org.jspecify.annotations.NullMarked;
