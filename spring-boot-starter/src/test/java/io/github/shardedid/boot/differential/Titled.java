package io.github.shardedid.boot.differential;

import org.jspecify.annotations.Nullable;

/** A projection of an album. */
record Titled(Long id, @Nullable String title) {}
