/** What a SQL text says, without a database: what it does, the names and ids in it, and where its schemas go. */
@NullMarked
package io.github.shardedid.routing.internal.sql;

import org.jspecify.annotations.NullMarked;
