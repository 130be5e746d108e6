package io.github.shardedid.routing.internal;

/** The text of a statement, and the number of the {@link Place} for which it is. */
record PlacedSql(String sql, SqlAnalysis analysis, int place) {}
