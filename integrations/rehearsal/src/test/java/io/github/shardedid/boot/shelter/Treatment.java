package io.github.shardedid.boot.shelter;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Has two references, of which one leads to its owner. */
@Entity
class Treatment {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Animal animal;

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Medicine medicine;
}
