package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Lives with its owner. */
@Entity
class Pet {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Person owner;

    String name = "";

    protected Pet() {}

    Pet(@Nullable Person owner, String name) {
        this.owner = owner;
        this.name = name;
    }
}
