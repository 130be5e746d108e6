package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Its shard is the hash of a text. */
@Entity
class Handle {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @Nullable
    String name;

    protected Handle() {}

    Handle(@Nullable String name) {
        this.name = name;
    }
}
