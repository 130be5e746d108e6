package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** Its shard is a small number modulo the shards. */
@Entity
class BySmall extends Keyed {
    @ShardKey
    @Nullable
    Short tenant;

    @Override
    void key(@Nullable Integer shard) {
        tenant = shard == null ? null : (short) (KeyedCluster.SHARDS + shard);
    }
}
