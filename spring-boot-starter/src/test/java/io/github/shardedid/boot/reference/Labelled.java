package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.Table;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Owns the join table. */
@Entity
@Table(name = "person")
class Labelled {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ManyToMany
    @JoinTable(
            name = "person_roles",
            joinColumns = @JoinColumn(name = "person_id"),
            inverseJoinColumns = @JoinColumn(name = "roles_id"))
    Set<Label> labels = new HashSet<>();
}
