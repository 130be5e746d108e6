package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;

/**
 * A statement, and the connection over which it is sent.
 *
 * @param schema that of the target
 * @param waitExceeded whether it has waited for its shard for so long that it is sent there anyway
 */
public record Route(
        String sql,
        SqlAnalysis analysis,
        Target.Single target,
        String schema,
        PhysicalConnection physical,
        boolean waitExceeded) {
    public String sqlToSend() {
        return analysis.namesSchema() ? analysis.inSchema(schema) : sql;
    }
}
