/** What the mappings of a session factory say about shards, read from Hibernate's boot model. Knows no connection and no session. */
@NullMarked
package io.github.shardedid.hibernate.internal.mapping;

import org.jspecify.annotations.NullMarked;
