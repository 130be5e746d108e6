/** HikariCP pools in parts, and what is checked of pools before they are used. */
@NullMarked
package io.github.shardedid.boot.pool;

import org.jspecify.annotations.NullMarked;
