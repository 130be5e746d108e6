/**
 * The context of a move and its journal, and PostgreSQL's logical replication from one copy of the shard to the other: what it requires,
 * how it is set up, and how far it is.
 */
@NullMarked
package io.github.shardedid.move.internal.replication;

import org.jspecify.annotations.NullMarked;
