package io.github.shardedid.routing.internal.sql.catalog;

import java.util.Set;

/**
 * The names in a query that the catalogs are asked about.
 *
 * @param functions those of functions, of columns that could be functions, of operators and casts, as {@link Catalogue} has them
 * @param tables the tables
 */
public record QueryNames(Set<String> functions, Set<TableName> tables) {}
