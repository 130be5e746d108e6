/**
 * The statements of a routed connection: where each goes, also after its shard has moved, and what the application holds instead of the
 * driver's objects.
 */
@NullMarked
package io.github.shardedid.routing.internal.statement;

import org.jspecify.annotations.NullMarked;
