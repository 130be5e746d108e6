package io.github.shardedid.routing.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.routing.ShardingKeyType;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.UnknownShardException;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.ShardingKey;
import java.sql.ShardingKeyBuilder;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC sharding key: as much as the shard that it stands for.
 *
 * <p>JDBC leaves open what a key consists of. This one is computed when it is built, by the same rules as the
 * shard of an entity, so that the connection compares nothing but numbers.
 *
 * @param shard a shard of the cluster that it was built for
 */
public record RoutedShardingKey(int shard) implements ShardingKey {
    private static final String INVALID_VALUE = "22023";
    private static final Pattern WHOLE = Pattern.compile(".*INT|INTEGER");

    /** Refuses what no cluster can have for a shard; the connection that it is set on knows its cluster. */
    public RoutedShardingKey {
        UnknownShardException.requirePossible(shard);
    }

    /**
     * Creates a builder.
     *
     * @param cluster the cluster whose shards the keys stand for
     * @return a new one, for one thread at a time
     */
    public static ShardingKeyBuilder builder(Cluster cluster) {
        return new Builder(cluster);
    }

    /**
     * Returns the shard of a key.
     *
     * @throws SQLException if another data source has built it
     */
    public static Target.Shard targetOf(ShardingKey key, Cluster cluster) throws SQLException {
        if (key instanceof RoutedShardingKey routed) {
            return Target.shard(cluster.requireShard(routed.shard));
        }
        throw new SQLException(
                "The sharding key " + key + " was built by another data source: build it with this one's"
                        + " createShardingKeyBuilder().",
                INVALID_VALUE);
    }

    private static final class Builder implements ShardingKeyBuilder {
        private final Cluster cluster;
        private @Nullable Object value;
        private @Nullable SQLType type;
        private int subkeys;

        Builder(Cluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public ShardingKeyBuilder subkey(@Nullable Object subkey, SQLType subkeyType) {
            value = subkey;
            type = subkeyType;
            subkeys++;
            return this;
        }

        @Override
        public ShardingKey build() throws SQLException {
            if (subkeys != 1) {
                throw new SQLException("A sharding key has one subkey, not " + subkeys + ".", INVALID_VALUE);
            }
            try {
                return new RoutedShardingKey(shard());
            } catch (ShardedIdException e) {
                throw new SQLException(
                        "No sharding key can be made of " + value + ": " + e.getMessage(), INVALID_VALUE, e);
            }
        }

        /**
         * Returns the shard of the subkey. Its type says what it is: the shard key of an entity, an id, or the
         * number of a shard.
         */
        private int shard() throws SQLException {
            String name = type == null ? "" : type.getName();
            if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
                long number = ((Number) value).longValue();
                if (type == ShardingKeyType.ID) {
                    return cluster.shardOf(number);
                } else if (type == ShardingKeyType.SHARD) {
                    return cluster.requireShard(number);
                } else if (WHOLE.matcher(name).matches()) {
                    return ShardKeys.shardOf(number, cluster.keyShards());
                }
            } else if (value instanceof String text && name.endsWith("CHAR")) {
                return ShardKeys.shardOf(text, cluster.keyShards());
            } else if (value instanceof UUID uuid && type == JDBCType.OTHER) {
                return ShardKeys.shardOf(uuid, cluster.keyShards());
            }
            throw new SQLException(
                    "No sharding key can be made of "
                            + (value == null ? "null" : value.getClass().getName()) + " as "
                            + type
                            + ". It is a whole number of type BIGINT or the like, a String of type VARCHAR, a UUID"
                            + " of type OTHER, or a number of a ShardingKeyType.",
                    INVALID_VALUE);
        }
    }
}
