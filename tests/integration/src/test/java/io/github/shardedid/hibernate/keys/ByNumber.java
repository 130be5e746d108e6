package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** Its shard is a number modulo the shards. */
@Entity
class ByNumber extends Keyed {
    @ShardKey
    @Nullable
    Long tenant;

    @Override
    void key(@Nullable Integer shard) {
        tenant = shard == null ? null : (long) KeyedCluster.SHARDS + shard;
    }
}
