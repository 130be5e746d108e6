/** Services of Docker Compose as databases of the cluster: the label {@code io.github.shardedid.database}. */
@NullMarked
package io.github.shardedid.boot.docker;

import org.jspecify.annotations.NullMarked;
