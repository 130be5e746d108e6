package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.Table;
import java.util.HashSet;
import java.util.Set;

/** Refers to rows of all shards by the inverse side of their join table. */
@Entity
@GlobalEntity(replicated = true)
@Table(name = "role")
class Label {
    @Id
    int id;

    @ManyToMany(mappedBy = "labels")
    Set<Labelled> labelled = new HashSet<>();
}
