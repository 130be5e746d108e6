package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;

/**
 * A statement, and the connection over which it is sent.
 *
 * @param schema that of the target
 * @param waitExceeded whether it has waited for its shard for so long that it is sent there anyway
 */
public record Route(TargetedSql text, String schema, PhysicalConnection physical, boolean waitExceeded) {
    public String sql() {
        return text.sql();
    }

    public SqlAnalysis analysis() {
        return text.analysis();
    }

    public Target.Single target() {
        return text.target();
    }

    public String sqlToSend() {
        return text.analysis().namesSchema() ? text.analysis().inSchema(schema) : text.sql();
    }
}
