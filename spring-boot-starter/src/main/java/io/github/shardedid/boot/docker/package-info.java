/** Connection details from Docker Compose: services with the label {@code io.github.shardedid.database}. */
@NullMarked
package io.github.shardedid.boot.docker;

import org.jspecify.annotations.NullMarked;
