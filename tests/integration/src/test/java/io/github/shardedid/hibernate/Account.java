package io.github.shardedid.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Its shard is a number modulo the shards; its id is a primitive. */
@Entity
class Account {
    @Id
    @ShardedId
    long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    protected Account() {}

    Account(long userId) {
        this.userId = userId;
    }
}
