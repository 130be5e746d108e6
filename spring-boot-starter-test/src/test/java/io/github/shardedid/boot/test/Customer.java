package io.github.shardedid.boot.test;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
class Customer {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String name = "";

    protected Customer() {}

    Customer(String name) {
        this.name = name;
    }

    long id() {
        return java.util.Objects.requireNonNull(id);
    }
}
