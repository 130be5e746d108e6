/** Shard keys of every kind that say another shard than the id. */
@NullMarked
package io.github.shardedid.hibernate.keys;

import org.jspecify.annotations.NullMarked;
