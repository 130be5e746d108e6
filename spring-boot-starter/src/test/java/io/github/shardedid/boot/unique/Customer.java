package io.github.shardedid.boot.unique;

import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
public class Customer {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @UniqueAcrossShards(ignoreCase = true)
    String email = "";

    protected Customer() {}

    public Customer(String email) {
        this.email = email;
    }

    public @Nullable Long getId() {
        return id;
    }
}
