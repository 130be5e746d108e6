/**
 * Moves shards from one database of a cluster to another while the application runs. PostgreSQL's logical replication
 * copies the rows, a fence inside PostgreSQL blocks all access for the moment of the switch, and a journal lets each
 * move be resumed or aborted from every step.
 */
@NullMarked
package io.github.shardedid.move;

import org.jspecify.annotations.NullMarked;
