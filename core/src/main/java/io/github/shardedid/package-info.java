/**
 * Sharded ids for Spring Data JPA on plain PostgreSQL. An id contains the logical shard of its row, which never changes.
 * This package contains only the base class of the exceptions, which all other packages use.
 */
@NullMarked
package io.github.shardedid;

import org.jspecify.annotations.NullMarked;
