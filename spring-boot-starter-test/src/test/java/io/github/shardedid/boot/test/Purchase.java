package io.github.shardedid.boot.test;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Lives with its customer. */
@Entity
class Purchase {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @Nullable
    Customer customer;

    String country = "";

    protected Purchase() {}

    Purchase(Customer customer, String country) {
        this.customer = customer;
        this.country = country;
    }

    long id() {
        return java.util.Objects.requireNonNull(id);
    }
}
