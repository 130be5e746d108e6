package io.github.shardedid.hibernate.late;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.UUID;
import org.hibernate.annotations.TenantId;
import org.jspecify.annotations.Nullable;

/** Bills of a tenant. */
final class Bills {
    private Bills() {}

    /** The session's tenant is the shard key. */
    static final Class<?>[] OF_TENANTS = {
        Bill.class, Defaulted.class, Placed.class, Numbered.class, Embedding.class, Own.class
    };

    /** The application sets the shard key. */
    static final Class<?>[] BY_TEXT = {ByText.class, TextDefaulted.class, OwnText.class, Leaf.class, OwnLeaf.class};

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE bill_id_seq MINVALUE 0;
            CREATE TABLE bill (id bigint PRIMARY KEY DEFAULT next_id('bill_id_seq'), tenant text, words text);
            CREATE SEQUENCE defaulted_id_seq MINVALUE 0;
            CREATE TABLE defaulted (id bigint PRIMARY KEY DEFAULT next_id('defaulted_id_seq'), tenant text, words text);
            CREATE SEQUENCE placed_id_seq MINVALUE 0;
            CREATE TABLE placed (id bigint PRIMARY KEY DEFAULT next_id('placed_id_seq'), tenant text, street text, words text);
            CREATE TABLE numbered (number bigint, tenant text, words text, PRIMARY KEY (number, tenant));
            CREATE TABLE embedding (number bigint, tenant text, words text, PRIMARY KEY (number, tenant));
            CREATE SEQUENCE reminder_id_seq MINVALUE 0;
            CREATE TABLE reminder (id bigint PRIMARY KEY DEFAULT next_id('reminder_id_seq'), tenant text, words text, own_id uuid);
            CREATE TABLE own (id uuid PRIMARY KEY, tenant text, words text);
            CREATE SEQUENCE by_text_id_seq MINVALUE 0;
            CREATE TABLE by_text (id bigint PRIMARY KEY DEFAULT next_id('by_text_id_seq'), tenant text, words text);
            CREATE SEQUENCE text_defaulted_id_seq MINVALUE 0;
            CREATE TABLE text_defaulted (id bigint PRIMARY KEY DEFAULT next_id('text_defaulted_id_seq'), tenant text, words text);
            CREATE TABLE own_text (id uuid PRIMARY KEY, tenant text, words text);
            CREATE SEQUENCE leaf_id_seq MINVALUE 0;
            CREATE TABLE leaf (id bigint PRIMARY KEY DEFAULT next_id('leaf_id_seq'), parent_id bigint, words text);
            CREATE TABLE own_leaf (id uuid PRIMARY KEY, parent_id uuid, words text);
            """;

    @MappedSuperclass
    abstract static class Row {
        String words = "";

        abstract @Nullable Object id();

        abstract void id(Object id);
    }

    @MappedSuperclass
    abstract static class Sharded extends Row {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (Long) id;
        }
    }

    @Entity(name = "Bill")
    @Table(name = "bill")
    static class Bill extends Sharded {
        @ShardKey
        @TenantId
        @Nullable
        String tenant;
    }

    @Entity(name = "Defaulted")
    @Table(name = "defaulted")
    static class Defaulted extends Row {
        @Id
        @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
        @Nullable
        Long id;

        @ShardKey
        @TenantId
        @Nullable
        String tenant;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (Long) id;
        }
    }

    @Embeddable
    static class Place {
        @ShardKey
        @TenantId
        @Nullable
        String tenant;

        @Nullable
        String street;
    }

    /** The tenant is in an embeddable. */
    @Entity(name = "Placed")
    @Table(name = "placed")
    static class Placed extends Sharded {
        @Embedded
        Place place = new Place();
    }

    record NumberedId(@Nullable Long number, @Nullable String tenant) implements Serializable {}

    /** The tenant is in the id. */
    @Entity(name = "Numbered")
    @Table(name = "numbered")
    @IdClass(NumberedId.class)
    static class Numbered extends Row {
        @Id
        @Nullable
        Long number;

        @Id
        @ShardKey
        @TenantId
        @Nullable
        String tenant;

        @Override
        @Nullable
        Object id() {
            return new NumberedId(number, tenant);
        }

        @Override
        void id(Object id) {
            number = ((NumberedId) id).number();
            tenant = ((NumberedId) id).tenant();
        }
    }

    @Embeddable
    record EmbeddingId(@Nullable Long number, @ShardKey @TenantId @Nullable String tenant) implements Serializable {}

    @Entity(name = "Embedding")
    @Table(name = "embedding")
    static class Embedding extends Row {
        @EmbeddedId
        @Nullable
        EmbeddingId id;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (EmbeddingId) id;
        }
    }

    /** Its id names no shard. */
    @Entity(name = "Own")
    @Table(name = "own")
    static class Own extends Row {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @TenantId
        @Nullable
        String tenant;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (UUID) id;
        }
    }

    @Entity(name = "ByText")
    @Table(name = "by_text")
    static class ByText extends Sharded {
        @ShardKey
        @Nullable
        String tenant;
    }

    @Entity(name = "TextDefaulted")
    @Table(name = "text_defaulted")
    static class TextDefaulted extends Row {
        @Id
        @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
        @Nullable
        Long id;

        @ShardKey
        @Nullable
        String tenant;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (Long) id;
        }
    }

    /** A row of the global database. */
    @Entity(name = "Coin")
    @Table(name = "coin")
    static class Coin {
        @Id
        String code = "";

        String words = "";
    }

    /** It refers to a row of its tenant. */
    @Entity(name = "Reminder")
    @Table(name = "reminder")
    static class Reminder extends Sharded {
        @ShardKey
        @TenantId
        @Nullable
        String tenant;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Own own;
    }

    @Entity(name = "OwnText")
    @Table(name = "own_text")
    static class OwnText extends Row {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @Column(nullable = false)
        @Nullable
        String tenant;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (UUID) id;
        }
    }

    @Entity(name = "Leaf")
    @Table(name = "leaf")
    static class Leaf extends Sharded {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        ByText parent;
    }

    /** Neither its id nor that of its parent names a shard. */
    @Entity(name = "OwnLeaf")
    @Table(name = "own_leaf")
    static class OwnLeaf extends Row {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        OwnText parent;

        @Override
        @Nullable
        Object id() {
            return id;
        }

        @Override
        void id(Object id) {
            this.id = (UUID) id;
        }
    }
}
