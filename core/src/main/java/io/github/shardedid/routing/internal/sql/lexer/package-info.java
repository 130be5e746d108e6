/** The tokens of a SQL text, as PostgreSQL and its driver both read them. */
@NullMarked
package io.github.shardedid.routing.internal.sql.lexer;

import org.jspecify.annotations.NullMarked;
