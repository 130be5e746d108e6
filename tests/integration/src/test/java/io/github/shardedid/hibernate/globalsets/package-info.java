/** Sharded entities with collections of global ones. */
@NullMarked
package io.github.shardedid.hibernate.globalsets;

import org.jspecify.annotations.NullMarked;
