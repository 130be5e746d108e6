/**
 * What the mappings of a session factory say about shards: read from Hibernate's boot model, and checked. Knows no
 * connection, and a session only where a type refers to rows of other shards.
 */
@NullMarked
package io.github.shardedid.hibernate.internal.mapping;

import org.jspecify.annotations.NullMarked;
