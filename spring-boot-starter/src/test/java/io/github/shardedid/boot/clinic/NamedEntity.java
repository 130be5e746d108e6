package io.github.shardedid.boot.clinic;

import jakarta.persistence.MappedSuperclass;

@MappedSuperclass
class NamedEntity extends BaseEntity {
    private String name = "";

    String getName() {
        return name;
    }

    void setName(String name) {
        this.name = name;
    }
}
