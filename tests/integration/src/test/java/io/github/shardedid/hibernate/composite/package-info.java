/** Entities whose id is composite, and one part of it names the shard. */
@NullMarked
package io.github.shardedid.hibernate.composite;

import org.jspecify.annotations.NullMarked;
