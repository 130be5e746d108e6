package io.github.shardedid.boot.shelter;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.PrePersist;
import jakarta.persistence.Transient;
import org.jspecify.annotations.Nullable;

@Entity
class Receipt {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Keeper keeper;

    @Transient
    @Nullable
    Keeper issuer;

    @PrePersist
    void issue() {
        keeper = issuer == null ? keeper : issuer;
    }
}
