/**
 * Sessions of the server behind pooled connections: the search path, the settings and the shard's types that
 * each one has, and the names in the catalogs of their databases.
 *
 * <p>A session outlives the transactions of many callers. What one of them leaves in it would change what the
 * next one's names mean, so the routing knows, for each session, what it has set.
 */
@NullMarked
package io.github.shardedid.routing.internal.session;

import org.jspecify.annotations.NullMarked;
