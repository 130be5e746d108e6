/**
 * Which logical shards there are and on which database each lives: the shard map, an immutable value that is replaced as
 * a whole, and how a shard key chooses a shard. Uses nothing but the JDK.
 */
@NullMarked
package io.github.shardedid.topology;

import org.jspecify.annotations.NullMarked;
