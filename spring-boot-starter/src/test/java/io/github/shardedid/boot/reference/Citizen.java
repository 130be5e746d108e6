package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Refers to a country without a foreign key. */
@Entity
class Citizen {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ManyToOne
    @Nullable
    Country country;
}
