package io.github.shardedid.boot.test;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Global; its table is filled by a migration. */
@Entity
class Country {
    @Id
    String code = "";

    protected Country() {}
}
