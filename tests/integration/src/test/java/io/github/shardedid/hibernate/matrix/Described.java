package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import org.jspecify.annotations.Nullable;

/** A superclass that is no entity, with the id of all that extend it. */
@MappedSuperclass
abstract class Described {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String description = "";
}
