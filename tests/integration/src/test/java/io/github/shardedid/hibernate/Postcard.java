package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Its ids are made in the JVM. */
@Entity
class Postcard {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    Long id;

    @ShardKey
    long userId;

    protected Postcard() {}

    Postcard(long userId) {
        this.userId = userId;
    }
}
