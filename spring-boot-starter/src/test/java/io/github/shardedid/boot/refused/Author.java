package io.github.shardedid.boot.refused;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
class Author {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String name = "";
}
