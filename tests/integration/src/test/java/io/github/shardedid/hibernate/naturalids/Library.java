package io.github.shardedid.hibernate.naturalids;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.NaturalIdCache;
import org.hibernate.annotations.NaturalIdClass;
import org.jspecify.annotations.Nullable;

/** Owners, and what they have: each kind of row has another kind of natural id. */
final class Library {
    private Library() {}

    static final Class<?>[] ENTITIES = {
        Owner.class, Book.class, Card.class, Login.class, Seat.class, Stand.class, Copy.class, Loan.class, Tag.class
    };

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE owner_id_seq MINVALUE 0;
            CREATE TABLE owner (id bigint PRIMARY KEY, name text);
            CREATE SEQUENCE book_id_seq MINVALUE 0;
            CREATE TABLE book (id bigint PRIMARY KEY, owner_id bigint NOT NULL REFERENCES owner, title text NOT NULL, words text,
                UNIQUE (owner_id, title));
            CREATE SEQUENCE card_id_seq MINVALUE 0;
            CREATE TABLE card (id bigint PRIMARY KEY, owner_id bigint NOT NULL REFERENCES owner, name text NOT NULL, words text,
                UNIQUE (owner_id, name));
            CREATE SEQUENCE login_id_seq MINVALUE 0;
            CREATE TABLE login (id bigint PRIMARY KEY, name text NOT NULL UNIQUE, words text);
            CREATE SEQUENCE seat_id_seq MINVALUE 0;
            CREATE TABLE seat (id bigint PRIMARY KEY, tenant bigint NOT NULL, code text NOT NULL, words text,
                UNIQUE (tenant, code));
            CREATE SEQUENCE stand_id_seq MINVALUE 0;
            CREATE TABLE stand (id bigint PRIMARY KEY, tenant text NOT NULL, hall int NOT NULL, UNIQUE (tenant, hall));
            CREATE SEQUENCE copy_id_seq MINVALUE 0;
            CREATE TABLE copy (id bigint PRIMARY KEY, book_id bigint NOT NULL REFERENCES book, number int NOT NULL,
                UNIQUE (book_id, number));
            CREATE SEQUENCE loan_id_seq MINVALUE 0;
            CREATE TABLE loan (id bigint PRIMARY KEY, owner_id bigint NOT NULL REFERENCES owner, reader_id bigint NOT NULL,
                UNIQUE (owner_id, reader_id));
            """;

    /** In the global database. */
    static final String TAGS = "CREATE TABLE tag (id bigint PRIMARY KEY, word text NOT NULL UNIQUE, meaning text);";

    @Entity(name = "Owner")
    static class Owner {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String name = "";

        Owner() {}

        Owner(String name) {
            this.name = name;
        }

        String getName() {
            return name;
        }
    }

    /** With an immutable natural id. */
    @Entity(name = "Book")
    static class Book {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ShardKey
        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @Nullable
        Owner owner;

        @NaturalId
        String title = "";

        String words = "";

        Book() {}

        Book(Owner owner, String title, String words) {
            this.owner = owner;
            this.title = title;
            this.words = words;
        }

        String getWords() {
            return words;
        }
    }

    /** With a natural id of which one part changes, and everything in the second-level cache, if there is one. */
    @Entity(name = "Card")
    @Cacheable
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    @NaturalIdCache
    static class Card {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ShardKey
        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @Nullable
        Owner owner;

        @NaturalId(mutable = true)
        String name = "";

        String words = "";

        Card() {}

        Card(Owner owner, String name, String words) {
            this.owner = owner;
            this.name = name;
            this.words = words;
        }

        String getWords() {
            return words;
        }
    }

    /** With a natural id of one attribute. */
    @Entity(name = "Login")
    static class Login {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ShardKey
        @Column(nullable = false)
        String name = "";

        String words = "";

        Login() {}

        Login(String name, String words) {
            this.name = name;
            this.words = words;
        }
    }

    /** Public: Hibernate calls its methods. */
    public record SeatKey(long tenant, String code) {}

    /** With a class for its natural ids. */
    @Entity(name = "Seat")
    @NaturalIdClass(SeatKey.class)
    static class Seat {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ShardKey
        long tenant;

        @NaturalId
        String code = "";

        String words = "";

        Seat() {}

        Seat(long tenant, String code, String words) {
            this.tenant = tenant;
            this.code = code;
            this.words = words;
        }
    }

    @Embeddable
    record Place(@ShardKey @Column(nullable = false) String tenant, int hall) {}

    /** With an embeddable that contains the shard key. */
    @Entity(name = "Stand")
    static class Stand {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @Embedded
        @Nullable
        Place place;

        Stand() {}

        Stand(Place place) {
            this.place = place;
        }
    }

    /** Without the shard key, but with an association to a row of the same shard. */
    @Entity(name = "Copy")
    static class Copy {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @Nullable
        Book book;

        @NaturalId
        int number;

        Copy() {}

        Copy(Book book, int number) {
            this.book = book;
            this.number = number;
        }
    }

    /** With a reference to a row of any shard as the other attribute. */
    @Entity(name = "Loan")
    static class Loan {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @NaturalId
        @ShardKey
        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @Nullable
        Owner owner;

        @NaturalId
        @ForeignShard
        @ManyToOne(optional = false, fetch = FetchType.LAZY)
        @Nullable
        Owner reader;

        Loan() {}

        Loan(Owner owner, Owner reader) {
            this.owner = owner;
            this.reader = reader;
        }
    }

    /** In the global database. */
    @Entity(name = "Tag")
    @Table(name = "tag")
    @GlobalEntity
    static class Tag {
        @Id
        @Nullable
        Long id;

        @NaturalId
        String word = "";

        String meaning = "";

        Tag() {}

        Tag(long id, String word, String meaning) {
            this.id = id;
            this.word = word;
            this.meaning = meaning;
        }
    }
}
