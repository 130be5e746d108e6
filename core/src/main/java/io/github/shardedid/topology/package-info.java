/**
 * The logical shards, the database of each (the shard map, an immutable value that is replaced as a whole), and the choice
 * of a shard by shard key. Uses nothing but the JDK.
 */
@NullMarked
package io.github.shardedid.topology;

import org.jspecify.annotations.NullMarked;
