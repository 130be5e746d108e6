/** Entities with a natural id that names the shard. */
@NullMarked
package io.github.shardedid.hibernate.naturalids;

import org.jspecify.annotations.NullMarked;
