/** Assembles a routing data source from the sub-packages, and implements the connection that the application sees. */
@NullMarked
package io.github.shardedid.routing.internal;

import org.jspecify.annotations.NullMarked;
