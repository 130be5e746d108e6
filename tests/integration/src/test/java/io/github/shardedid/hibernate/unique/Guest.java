package io.github.shardedid.hibernate.unique;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Has a name that nobody else has, and an id that costs no round trip. */
@Entity
class Guest {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @UniqueAcrossShards
    @Nullable
    String name;

    Guest() {}

    Guest(@Nullable String name) {
        this.name = name;
    }
}
