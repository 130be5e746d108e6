/** The queries that can go to several shards: what is known to merge, and how. */
@NullMarked
package io.github.shardedid.routing.internal.sql.query;

import org.jspecify.annotations.NullMarked;
