/** Which reads come from replicas, and how far they may be behind. */
@NullMarked
package io.github.shardedid.routing.replica;

import org.jspecify.annotations.NullMarked;
