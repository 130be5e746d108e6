package io.github.shardedid.boot.ownids;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Entity
class Customer {
    @Id
    @ShardedId
    private @Nullable Long id;

    private String name = "";

    protected Customer() {}

    Customer(String name) {
        this.name = name;
    }

    long id() {
        return Objects.requireNonNull(id);
    }

    String name() {
        return name;
    }
}
