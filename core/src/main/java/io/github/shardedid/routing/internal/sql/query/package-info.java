/**
 * The queries that can go to several shards: what is known to merge, and how. What the databases' catalogs say of their functions and tables decides
 * it, and each execution verifies that.
 */
@NullMarked
package io.github.shardedid.routing.internal.sql.query;

import org.jspecify.annotations.NullMarked;
