package io.github.shardedid.boot.ints;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Visit {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    private Integer id;

    @ShardKey(references = Shop.class)
    private Integer shopId;

    protected Visit() {}

    Visit(Integer shopId) {
        this.shopId = shopId;
    }

    Integer id() {
        return id;
    }

    Integer shopId() {
        return shopId;
    }
}
