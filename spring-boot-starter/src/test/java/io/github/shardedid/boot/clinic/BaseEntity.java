package io.github.shardedid.boot.clinic;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import org.jspecify.annotations.Nullable;

@MappedSuperclass
class BaseEntity {
    @Id
    @ShardedId
    private @Nullable Long id;

    @Nullable
    Long getId() {
        return id;
    }
}
