/**
 * What the mappings of a session factory say about shards: read from Hibernate's boot model, and checked. Knows no session and no
 * connection.
 */
@NullMarked
package io.github.shardedid.hibernate.internal.mapping;

import org.jspecify.annotations.NullMarked;
