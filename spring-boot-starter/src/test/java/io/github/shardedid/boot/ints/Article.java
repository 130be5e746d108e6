package io.github.shardedid.boot.ints;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** Its id is a primitive. */
@Entity
class Article {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    private int id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private Shop shop;

    private String name = "";

    protected Article() {}

    Article(Shop shop, String name) {
        this.shop = shop;
        this.name = name;
    }

    int id() {
        return id;
    }

    String name() {
        return name;
    }

    Shop shop() {
        return shop;
    }
}
