/** The data source beans: the sharded one beside those of the application, and that of the global database for other libraries. */
@NullMarked
package io.github.shardedid.boot.jdbc;

import org.jspecify.annotations.NullMarked;
