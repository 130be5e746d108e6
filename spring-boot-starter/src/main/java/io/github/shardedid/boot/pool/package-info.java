/** HikariCP pools in parts. */
@NullMarked
package io.github.shardedid.boot.pool;

import org.jspecify.annotations.NullMarked;
