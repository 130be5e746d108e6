/** Determines the shards of a query, update or delete by what its condition requires, and executes it there. */
@NullMarked
package io.github.shardedid.hibernate.internal.queries;

import org.jspecify.annotations.NullMarked;
