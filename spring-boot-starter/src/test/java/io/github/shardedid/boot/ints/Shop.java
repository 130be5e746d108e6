package io.github.shardedid.boot.ints;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

@Entity
class Shop {
    @Id
    @ShardedId
    private Integer id;

    @Version
    private int version;

    private String name = "";

    protected Shop() {}

    Shop(String name) {
        this.name = name;
    }

    Integer id() {
        return id;
    }

    String name() {
        return name;
    }

    void rename(String other) {
        name = other;
    }
}
