package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** Its shard is the hash of a text. */
@Entity
class ByText extends Keyed {
    @ShardKey
    @Nullable
    String tenant;

    @Override
    void key(@Nullable Integer shard) {
        tenant = shard == null ? null : KeyedCluster.text(shard);
    }
}
