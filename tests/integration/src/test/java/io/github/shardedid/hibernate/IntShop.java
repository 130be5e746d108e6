package io.github.shardedid.hibernate;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Entities whose ids are of 32 bits, in columns of type integer; one keeps them in a bigint. */
final class IntShop {
    private IntShop() {}

    @Entity(name = "Shop")
    static class Shop {
        @Id
        @ShardedId
        int id;

        @Version
        int version;

        String name = "";

        @OneToMany(mappedBy = "shop")
        List<Article> articles = new ArrayList<>();

        protected Shop() {}

        Shop(String name) {
            this.name = name;
        }

        /** To be asked of a proxy, whose fields are never filled. */
        String name() {
            return name;
        }

        List<Article> articles() {
            return articles;
        }
    }

    @Entity(name = "Article")
    static class Article {
        @Id
        @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
        Integer id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        Shop shop;

        String name = "";

        @ElementCollection
        @CollectionTable(name = "article_tags", joinColumns = @JoinColumn(name = "article_id"))
        @Column(name = "tag")
        Set<String> tags = new HashSet<>();

        protected Article() {}

        Article(Shop shop, String name) {
            this.shop = shop;
            this.name = name;
        }
    }

    @Entity(name = "Visit")
    static class Visit {
        @Id
        @ShardedId(strategy = IdStrategy.JVM)
        Integer id;

        @ShardKey(references = Shop.class)
        int shopId;

        protected Visit() {}

        Visit(int shopId) {
            this.shopId = shopId;
        }
    }

    @Entity(name = "Receipt")
    static class Receipt {
        @Id
        @ShardedId
        Long id;

        @ShardKey(references = Shop.class)
        Integer shopId;

        protected Receipt() {}

        Receipt(int shopId) {
            this.shopId = shopId;
        }
    }
}
