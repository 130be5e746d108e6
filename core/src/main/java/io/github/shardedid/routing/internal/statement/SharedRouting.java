package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.Pools;
import io.github.shardedid.routing.internal.relocation.Relocations;
import io.github.shardedid.routing.internal.session.Sessions;
import io.github.shardedid.routing.internal.sql.SqlAnalyses;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.target.Executions;

/** What all connections of a routing data source share. Safe for use by several threads. */
public record SharedRouting(
        Databases databases,
        Pools pools,
        Sessions sessions,
        SqlAnalyses analyses,
        Executions executions,
        Relocations relocations) {}
