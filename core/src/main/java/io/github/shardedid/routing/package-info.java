/**
 * From a shard to a statement on the right database: the scope that names a shard, and a data source whose connections
 * are bound to no database until a statement says where it belongs. Plain JDBC.
 */
@NullMarked
package io.github.shardedid.routing;

import org.jspecify.annotations.NullMarked;
