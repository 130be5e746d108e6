/**
 * How ids reach Hibernate and how Hibernate reaches the right shard: a generator, persisters that route all that has an
 * id, and listeners that plan a flush before anything of it is sent. Not for applications.
 */
@NullMarked
package io.github.shardedid.hibernate.internal;

import org.jspecify.annotations.NullMarked;
