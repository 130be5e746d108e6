package io.github.shardedid.hibernate.inserts;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.SoftDelete;
import org.jspecify.annotations.Nullable;

/** Letters of a tenant, in every mapping with several tables. */
final class Letters {
    private Letters() {}

    static final Class<?>[] ENTITIES = {
        Joined.class,
        JoinedLetter.class,
        Sealed.class,
        Union.class,
        UnionLetter.class,
        Soft.class,
        SoftLetter.class,
        Own.class,
        OwnLetter.class,
        Global.class,
        GlobalLetter.class,
        Author.class,
        Remark.class,
        Posted.class
    };

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE joined_id_seq MINVALUE 0;
            CREATE TABLE joined (id bigint PRIMARY KEY DEFAULT next_id('joined_id_seq'), tenant text, words text);
            CREATE TABLE joined_letter (id bigint PRIMARY KEY, receiver text);
            CREATE SEQUENCE sealed_id_seq MINVALUE 0;
            CREATE TABLE sealed (id bigint PRIMARY KEY DEFAULT next_id('sealed_id_seq'), tenant text, words text);
            CREATE TABLE seal (id bigint PRIMARY KEY, receiver text);
            CREATE SEQUENCE united_id_seq MINVALUE 0;
            CREATE TABLE united (id bigint PRIMARY KEY DEFAULT next_id('united_id_seq'), tenant text, words text);
            CREATE TABLE united_letter (id bigint PRIMARY KEY, tenant text, words text, receiver text);
            CREATE SEQUENCE soft_id_seq MINVALUE 0;
            CREATE TABLE soft (id bigint PRIMARY KEY DEFAULT next_id('soft_id_seq'), tenant text, words text, deleted boolean NOT NULL DEFAULT false);
            CREATE TABLE soft_letter (id bigint PRIMARY KEY, receiver text);
            CREATE TABLE own (id uuid PRIMARY KEY, tenant text, words text);
            CREATE TABLE own_letter (id uuid PRIMARY KEY, receiver text);
            CREATE SEQUENCE author_id_seq MINVALUE 0;
            CREATE TABLE author (id bigint PRIMARY KEY DEFAULT next_id('author_id_seq'), tenant text, words text);
            CREATE SEQUENCE remark_id_seq MINVALUE 0;
            CREATE TABLE remark (id bigint PRIMARY KEY DEFAULT next_id('remark_id_seq'), tenant text, words text, author_id bigint);
            CREATE SEQUENCE posted_id_seq MINVALUE 0;
            CREATE TABLE posted (id bigint PRIMARY KEY DEFAULT next_id('posted_id_seq'), tenant text);
            CREATE TABLE postmark (id bigint PRIMARY KEY, receiver text, mark text DEFAULT 'posted');
            """;

    static final String GLOBAL_TABLES =
            """
            CREATE TABLE universal (id bigint PRIMARY KEY, words text);
            CREATE TABLE universal_letter (id bigint PRIMARY KEY, receiver text);
            """;

    @MappedSuperclass
    abstract static class OfTenant {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        String tenant;

        @Nullable
        String words;
    }

    @Entity(name = "Joined")
    @Table(name = "joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined extends OfTenant {}

    @Entity(name = "JoinedLetter")
    @Table(name = "joined_letter")
    static class JoinedLetter extends Joined {
        @Nullable
        String receiver;
    }

    @Entity(name = "Sealed")
    @Table(name = "sealed")
    @SecondaryTable(name = "seal")
    static class Sealed extends OfTenant {
        @Column(table = "seal")
        @Nullable
        String receiver;
    }

    @Entity(name = "Union")
    @Table(name = "united")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class Union extends OfTenant {}

    @Entity(name = "UnionLetter")
    @Table(name = "united_letter")
    static class UnionLetter extends Union {
        @Nullable
        String receiver;
    }

    @Entity(name = "Soft")
    @Table(name = "soft")
    @Inheritance(strategy = InheritanceType.JOINED)
    @SoftDelete
    static class Soft extends OfTenant {}

    @Entity(name = "SoftLetter")
    @Table(name = "soft_letter")
    static class SoftLetter extends Soft {
        @Nullable
        String receiver;
    }

    /** Its id names no shard. */
    @Entity(name = "Own")
    @Table(name = "own")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Own {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @Nullable
        String tenant;

        @Nullable
        String words;
    }

    @Entity(name = "OwnLetter")
    @Table(name = "own_letter")
    static class OwnLetter extends Own {
        @Nullable
        String receiver;
    }

    @Entity(name = "Universal")
    @Table(name = "universal")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Global {
        @Id
        long id;

        @Nullable
        String words;
    }

    @Entity(name = "UniversalLetter")
    @Table(name = "universal_letter")
    static class GlobalLetter extends Global {
        @Nullable
        String receiver;
    }

    @Entity(name = "Author")
    @Table(name = "author")
    static class Author extends OfTenant {}

    @Entity(name = "Remark")
    @Table(name = "remark")
    static class Remark extends OfTenant {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Author author;
    }

    /** The id and the mark are made by the defaults of their columns. */
    @Entity(name = "Posted")
    @Table(name = "posted")
    @SecondaryTable(name = "postmark")
    static class Posted {
        @Id
        @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        String tenant;

        @Column(table = "postmark")
        @Nullable
        String receiver;

        @Column(table = "postmark")
        @Generated
        @Nullable
        String mark;

        Posted() {}

        Posted(String tenant, String receiver) {
            this.tenant = tenant;
            this.receiver = receiver;
        }
    }
}
