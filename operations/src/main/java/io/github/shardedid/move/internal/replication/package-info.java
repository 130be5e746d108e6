/**
 * PostgreSQL's logical replication from one copy of a shard to the other: what it requires, how it is set up, and how
 * far it is.
 */
@NullMarked
package io.github.shardedid.move.internal.replication;

import org.jspecify.annotations.NullMarked;
