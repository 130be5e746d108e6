package io.github.shardedid.routing.internal.connection;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;

/**
 * A statement, and the connection over which it is sent.
 *
 * @param schema that of the target
 * @param waitExceeded whether it has waited for its shard for so long that it is sent there anyway
 * @param alone whether it writes one row by each call, and is a transaction of its own, as nothing but the commit follows
 */
public record Route(TargetedSql text, String schema, PhysicalConnection physical, boolean waitExceeded, boolean alone) {
    /** Fails, and so takes everything back, triggers included, unless exactly one row was written. */
    private static final String ONE_ROW =
            "\n returning 1) select 1/(case count(*) when 1 then 1 else 0 end) from written";

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
        String sql = text.analysis().namesSchema() ? text.analysis().inSchema(schema) : text.sql();
        return alone ? "with written as (" + sql + ONE_ROW : sql;
    }
}
