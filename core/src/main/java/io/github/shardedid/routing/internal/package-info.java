/**
 * Assembles a routing data source from the sub-packages, and implements the connection that the application
 * sees.
 *
 * <p>The sub-packages do not use this one: whatever several of them need is in the lowest of them.
 */
@NullMarked
package io.github.shardedid.routing.internal;

import org.jspecify.annotations.NullMarked;
