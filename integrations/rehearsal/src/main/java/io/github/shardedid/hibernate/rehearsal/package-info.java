/**
 * The mappings and statements of a session factory without shards, read as if it had some. The same checks and rules are used as with
 * shards, but nothing is routed or refused.
 */
@NullMarked
package io.github.shardedid.hibernate.rehearsal;

import org.jspecify.annotations.NullMarked;
