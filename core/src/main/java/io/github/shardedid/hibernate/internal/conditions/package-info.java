/** Reads from Hibernate's model of a statement which ids and shard keys it requires of its rows, and which of its rows these concern. */
@NullMarked
package io.github.shardedid.hibernate.internal.conditions;

import org.jspecify.annotations.NullMarked;
