package io.github.shardedid.generator;

import org.jspecify.annotations.Nullable;

/**
 * The database's answer to a request for a node.
 *
 * @param refused why the request was refused; null if it was granted, and only then are the other values valid
 * @param node the node, from 0
 * @param windowStart the first timestamp of the window, in the layout's unit
 * @param windowEnd the first timestamp after the window
 * @param present the database's time, in the layout's unit
 */
record LeaseAnswer(@Nullable FallbackReason refused, int node, long windowStart, long windowEnd, long present) {}
