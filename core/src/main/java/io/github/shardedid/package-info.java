/**
 * Sharded ids for Spring Data JPA on plain PostgreSQL. An id contains the logical shard of its row, which never changes.
 * This package contains only what all other packages use: the base class of the exceptions, that of a wrong configuration,
 * and the words of their advice.
 */
@NullMarked
package io.github.shardedid;

import org.jspecify.annotations.NullMarked;
