/**
 * Statements of an application without shards, read as they are read with shards.
 */
@NullMarked
package io.github.shardedid.routing.rehearsal;

import org.jspecify.annotations.NullMarked;
