/**
 * Rows whose ids name no shard, such as UUIDs: what a session knows of them, and what is refused because nobody else knows it. Hooked in by
 * {@code routing.UnroutableIds}.
 */
@NullMarked
package io.github.shardedid.hibernate.internal.unroutable;

import org.jspecify.annotations.NullMarked;
