package io.github.shardedid.routing.internal.sql.query;

import org.jspecify.annotations.Nullable;

/**
 * A column of a select list.
 *
 * @param expression what is selected, without its alias
 * @param name its name in the result; null if that is PostgreSQL's choice, or it is all columns of a table
 * @param star whether it is all columns of a table, or of all tables
 */
record SelectItem(Expression expression, @Nullable String name, boolean star) {}
