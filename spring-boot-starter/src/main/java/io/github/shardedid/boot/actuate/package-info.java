/**
 * The actuator endpoints: {@code shards} shows the cluster and moves shards in the background, {@code claims} builds claims of unique
 * values, and {@code keyrows} counts, exports and erases the rows of a key; and the health of the cluster.
 */
@NullMarked
package io.github.shardedid.boot.actuate;

import org.jspecify.annotations.NullMarked;
