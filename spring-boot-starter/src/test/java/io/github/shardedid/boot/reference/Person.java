package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

@Entity
class Person {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ManyToOne
    @Nullable
    Country country;

    @ManyToMany
    Set<Role> roles = new HashSet<>();
}
