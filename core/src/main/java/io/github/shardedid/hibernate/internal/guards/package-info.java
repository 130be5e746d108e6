/** Checks of what is about to be written: associations, shard keys, and the shard of each row. */
@NullMarked
package io.github.shardedid.hibernate.internal.guards;

import org.jspecify.annotations.NullMarked;
