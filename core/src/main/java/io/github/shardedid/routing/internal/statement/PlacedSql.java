package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.target.Place;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;

/** The text of a statement, and the number of the {@link Place} for which it is. */
public record PlacedSql(String sql, SqlAnalysis analysis, int place) {}
