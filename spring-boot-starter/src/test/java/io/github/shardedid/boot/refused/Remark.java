package io.github.shardedid.boot.refused;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** In the shard of its page; its author may be in another one. */
@Entity
class Remark {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    long page;

    @ForeignShard
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Author author;

    String words = "";
}
