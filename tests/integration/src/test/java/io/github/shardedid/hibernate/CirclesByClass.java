package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** References to rows of other shards in, and to, entities whose classes have tables of their own. */
final class CirclesByClass {
    private CirclesByClass() {}

    static final Class<?>[] ENTITIES = {
        Person.class, Author.class, Text.class, Essay.class, Sign.class, Clap.class, Boo.class
    };

    static final String TABLES =
            """
            CREATE SEQUENCE person_id_seq MINVALUE 0;
            CREATE TABLE person (id bigint PRIMARY KEY, name text);
            CREATE TABLE person_author (id bigint PRIMARY KEY, pen text);
            CREATE SEQUENCE writing_id_seq MINVALUE 0;
            CREATE TABLE writing (id bigint PRIMARY KEY, page bigint NOT NULL, writer_id bigint);
            CREATE TABLE essay (id bigint PRIMARY KEY, editor_id bigint);
            CREATE SEQUENCE sign_id_seq MINVALUE 0;
            CREATE TABLE clap (id bigint PRIMARY KEY, page bigint NOT NULL, fan_id bigint);
            CREATE TABLE boo (id bigint PRIMARY KEY, page bigint NOT NULL, fan_id bigint, against_id bigint);
            """;

    /** Joined tables. */
    @Entity(name = "Person")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Person {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String name = "";

        String getName() {
            return name;
        }
    }

    @Entity(name = "PersonAuthor")
    static class Author extends Person {
        String pen = "";
    }

    /** Joined tables. */
    @Entity(name = "writing")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Text {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        long page;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Person writer;
    }

    @Entity(name = "Essay")
    static class Essay extends Text {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Person editor;
    }

    /** A table for each class. */
    @Entity(name = "Sign")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Sign {
        @Id
        @ShardedId(sequence = "sign_id_seq")
        @Nullable
        Long id;

        @ShardKey
        long page;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Person fan;
    }

    @Entity(name = "Clap")
    static class Clap extends Sign {}

    @Entity(name = "Boo")
    static class Boo extends Sign {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Sign against;
    }
}
