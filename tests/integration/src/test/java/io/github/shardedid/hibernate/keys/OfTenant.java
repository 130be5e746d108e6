package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.topology.ShardKeys;
import jakarta.persistence.MappedSuperclass;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A shard key for others to inherit: the hash of a UUID. */
@MappedSuperclass
abstract class OfTenant extends Keyed {
    @ShardKey
    @Nullable
    UUID tenant;

    @Override
    void key(@Nullable Integer shard) {
        tenant = null;
        for (int i = 0; shard != null && tenant == null; i++) {
            UUID some = new UUID(0, i);
            tenant = ShardKeys.shardOf(some, KeyedCluster.SHARDS) == shard ? some : null;
        }
    }
}
