/**
 * The rehearsal: an application without shards runs as always, and a report says what shards would change.
 */
@NullMarked
package io.github.shardedid.boot.rehearsal;

import org.jspecify.annotations.NullMarked;
