/**
 * How the routing data source works: what a SQL text is, which physical connections a transaction holds, and the facades
 * of connections and statements that the application sees.
 */
@NullMarked
package io.github.shardedid.routing.internal;

import org.jspecify.annotations.NullMarked;
