/** Properties of the tools that run the migrations of the shards. */
@NullMarked
package io.github.shardedid.boot.migration;

import org.jspecify.annotations.NullMarked;
