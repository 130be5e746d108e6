/** Shards on their way to another database: waiting for them, and following them. */
@NullMarked
package io.github.shardedid.routing.internal.relocation;

import org.jspecify.annotations.NullMarked;
