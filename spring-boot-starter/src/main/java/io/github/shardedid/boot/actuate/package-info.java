/**
 * The actuator endpoint {@code shards}: shows the cluster, and moves shards in the background.
 */
@NullMarked
package io.github.shardedid.boot.actuate;

import org.jspecify.annotations.NullMarked;
