/**
 * The base of provisioning and moves: transactions, locks, the search path and the row of a shard. Not for use by
 * applications.
 */
@NullMarked
package io.github.shardedid.operations.internal;

import org.jspecify.annotations.NullMarked;
