/**
 * Sharded ids for Spring Data JPA on plain PostgreSQL: an id says for ever in which logical shard its row lives.
 * This package holds only what all others share: the root of the exceptions.
 */
@NullMarked
package io.github.shardedid;

import org.jspecify.annotations.NullMarked;
