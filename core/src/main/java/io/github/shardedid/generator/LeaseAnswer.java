package io.github.shardedid.generator;

import org.jspecify.annotations.Nullable;

/**
 * What a database says to a JVM that asks for a node.
 *
 * @param refused why there is none, or null if it was granted; the other values have a meaning only then
 * @param node the node, from 0
 * @param windowStart the first timestamp of the window, in the layout's unit
 * @param windowEnd the first one after it
 * @param present the database's time
 */
record LeaseAnswer(@Nullable FallbackReason refused, int node, long windowStart, long windowEnd, long present) {}
