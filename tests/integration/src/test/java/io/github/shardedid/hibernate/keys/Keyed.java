package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import org.jspecify.annotations.Nullable;

/** A row with a shard key of some kind. */
@MappedSuperclass
abstract class Keyed {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @Nullable
    String note;

    /** Gives the shard key a value that says a shard, or none. */
    abstract void key(@Nullable Integer shard);
}
