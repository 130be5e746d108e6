/**
 * What a SQL text says to routing: its tokens, as PostgreSQL and its driver both read them, the names in it,
 * the placeholders of schemas, and what the statement does with rows, its session and its transaction. Nothing
 * here asks a database.
 */
@NullMarked
package io.github.shardedid.routing.internal.sql;

import org.jspecify.annotations.NullMarked;
