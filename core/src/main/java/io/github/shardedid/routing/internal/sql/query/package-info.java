/** The queries that can go to several shards: their grammar, and what is known to merge. */
@NullMarked
package io.github.shardedid.routing.internal.sql.query;

import org.jspecify.annotations.NullMarked;
