/** By which parameters of a query, update or delete its shard is known. */
@NullMarked
package io.github.shardedid.hibernate.internal.queries;

import org.jspecify.annotations.NullMarked;
