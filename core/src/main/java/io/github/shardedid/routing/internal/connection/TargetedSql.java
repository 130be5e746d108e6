package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;

/** The text of a statement, and where it goes. */
public record TargetedSql(String sql, SqlAnalysis analysis, Target.Single target) {}
