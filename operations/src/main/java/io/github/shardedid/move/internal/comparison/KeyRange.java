package io.github.shardedid.move.internal.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys, each a list of texts.
 *
 * @param after the last key before it, or null: from the first
 * @param to its last key, or null: to the last
 */
record KeyRange(@Nullable List<String> after, @Nullable List<String> to) {}
