/** What a SQL text says, without a database: its tokens, what it does, the names and ids in it, and where its schemas go. */
@NullMarked
package io.github.shardedid.routing.internal.sql;

import org.jspecify.annotations.NullMarked;
