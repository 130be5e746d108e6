package io.github.shardedid.operations.internal;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Creates the schema of a shard, and grants the roles of the cluster their privileges in a schema. */
public final class ShardSchemas {
    private ShardSchemas() {}

    /** Creates the schema of one shard with its {@code next_id} wrappers, in the caller's transaction. Its leases are added later. */
    public static void create(Connection connection, int shard) throws SQLException {
        Sql.execute(connection, FunctionSql.shardSchema(shard));
        grantRoles(connection, ShardSchema.nameOf(shard));
    }

    /**
     * Grants missing privileges to the roles that are stored in the database. Runs as the owner of the schema, in the caller's
     * transaction if there is one.
     *
     * @param schema null for schema {@code sharded_id} and those of all shards that are not being moved
     */
    public static void grantRoles(Connection connection, @Nullable String schema) throws SQLException {
        Sql.rows(connection, "SELECT sharded_id.grant_roles(cast(? AS name))", schema);
    }
}
