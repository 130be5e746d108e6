package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
@GlobalEntity(replicated = true)
class Role {
    @Id
    int id;

    String name = "";

    protected Role() {}

    Role(int id, String name) {
        this.id = id;
        this.name = name;
    }
}
