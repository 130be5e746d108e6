package io.github.shardedid.routing;

import java.sql.SQLType;

/**
 * What the value of a JDBC sharding key means, beside the types of {@link java.sql.JDBCType}, whose values are shard keys: a
 * whole number, a text or a UUID that chooses the shard as {@link io.github.shardedid.topology.ShardKeys} says.
 *
 * @see RoutingDataSource#createShardingKeyBuilder()
 */
public enum ShardingKeyType implements SQLType {
    /** The number of a shard. */
    SHARD,

    /** The id of a row, which names its shard. */
    ID;

    @Override
    public String getName() {
        return name();
    }

    @Override
    public String getVendor() {
        return "io.github.shardedid";
    }

    @Override
    public Integer getVendorTypeNumber() {
        return this == SHARD ? 1 : 2;
    }
}
