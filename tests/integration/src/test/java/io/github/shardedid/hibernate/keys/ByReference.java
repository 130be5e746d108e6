package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.id.IdLayout;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** Its shard is that of another row, of which it has the id only. */
@Entity
class ByReference extends Keyed {
    @ShardKey(references = ByNumber.class)
    @Nullable
    Long tenant;

    @Override
    void key(@Nullable Integer shard) {
        tenant = shard == null ? null : IdLayout.DEFAULT.encode(7, shard, 7);
    }
}
