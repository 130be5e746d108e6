/** An application whose shards are migrated by Liquibase. */
@NullMarked
package io.github.shardedid.changelog;

import org.jspecify.annotations.NullMarked;
