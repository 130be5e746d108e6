/** Asks a database which shards it owns, and listens for changes of that. */
@NullMarked
package io.github.shardedid.provisioning.internal.map;

import org.jspecify.annotations.NullMarked;
