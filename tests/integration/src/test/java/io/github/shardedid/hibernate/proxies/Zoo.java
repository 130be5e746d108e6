package io.github.shardedid.hibernate.proxies;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.ConcreteProxy;
import org.jspecify.annotations.Nullable;

/** Hierarchies of each kind whose references have the class of their row. */
final class Zoo {
    private Zoo() {}

    static final Class<?>[] ENTITIES = {
        Animal.class, Cat.class, Ship.class, Ferry.class, Shape.class, Circle.class, Cage.class, Token.class, Coin.class
    };

    /** In each shard. */
    static final String TABLES =
            """
            CREATE TABLE animal (id bigint PRIMARY KEY, dtype text NOT NULL, name text, lives int);
            CREATE SEQUENCE animal_id_seq MINVALUE 0;
            CREATE TABLE ship (id bigint PRIMARY KEY, name text);
            CREATE SEQUENCE ship_id_seq MINVALUE 0;
            CREATE TABLE ferry (id bigint PRIMARY KEY REFERENCES ship, cars int NOT NULL);
            CREATE TABLE shape (id bigint PRIMARY KEY, name text);
            CREATE SEQUENCE shape_id_seq MINVALUE 0;
            CREATE TABLE circle (id bigint PRIMARY KEY, name text, radius int NOT NULL);
            CREATE TABLE cage (id bigint PRIMARY KEY, animal_id bigint REFERENCES animal);
            CREATE SEQUENCE cage_id_seq MINVALUE 0;
            CREATE TABLE token (id int PRIMARY KEY, dtype text NOT NULL, place bigint NOT NULL, value int);
            """;

    @Entity(name = "Animal")
    @Inheritance
    @ConcreteProxy
    static class Animal {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String name;

        @Nullable
        String getName() {
            return name;
        }
    }

    @Entity(name = "Cat")
    static class Cat extends Animal {
        int lives = 9;
    }

    @Entity(name = "Ship")
    @Inheritance(strategy = InheritanceType.JOINED)
    @ConcreteProxy
    static class Ship {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String name;
    }

    @Entity(name = "Ferry")
    static class Ferry extends Ship {
        int cars;
    }

    @Entity(name = "Shape")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    @ConcreteProxy
    static class Shape {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String name;
    }

    @Entity(name = "Circle")
    static class Circle extends Shape {
        int radius;
    }

    /** Is cached, so that its reference is created without a statement. */
    @Entity(name = "Cage")
    @Cacheable
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Cage {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Animal animal;
    }

    /** With numbers of each shard as ids. */
    @Entity(name = "Token")
    @Inheritance
    @ConcreteProxy
    static class Token {
        @Id
        int id;

        @ShardKey
        long place;
    }

    @Entity(name = "Coin")
    static class Coin extends Token {
        int value;
    }
}
