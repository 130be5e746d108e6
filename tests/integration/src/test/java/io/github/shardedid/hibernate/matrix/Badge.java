package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Cacheable;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.JoinColumn;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/** Kept in the second-level cache, with its collection. */
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
class Badge extends Described {
    @ElementCollection
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    @CollectionTable(name = "badge_colour", joinColumns = @JoinColumn(name = "badge_id"))
    @Column(name = "colour")
    Set<String> colours = new HashSet<>();
}
