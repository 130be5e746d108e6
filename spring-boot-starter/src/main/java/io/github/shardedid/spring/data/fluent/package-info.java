/** Fluent queries of repositories over several shards. */
@NullMarked
package io.github.shardedid.spring.data.fluent;

import org.jspecify.annotations.NullMarked;
