package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Its table has no primary key. */
@Entity
@GlobalEntity(replicated = true)
class Keyless {
    @Id
    int id;
}
