package io.github.shardedid.hibernate.ownids;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import jakarta.persistence.CascadeType;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.DiscriminatorValue;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.Fetch;
import org.hibernate.annotations.FetchMode;
import org.hibernate.annotations.TenantId;
import org.jspecify.annotations.Nullable;

/** Hierarchies of entities, one of each kind, a tenant's rows, and rows that are fetched with subselects. */
final class Documents {
    private Documents() {}

    static final Class<?>[] ENTITIES = {
        Customer.class,
        Shop.Order.class,
        Shop.Line.class,
        Shop.Coupon.class,
        Joined.class,
        JoinedLetter.class,
        Single.class,
        SingleLetter.class,
        Union.class,
        UnionLetter.class,
        Folder.class,
        Page.class,
        Cover.class,
        Shelf.class,
        Sign.class
    };

    /** In each shard, beside those of the shop. */
    static final String TABLES =
            """
            CREATE TABLE joined (id uuid PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer, words text,
                answers uuid REFERENCES joined);
            CREATE TABLE joined_letter (id uuid PRIMARY KEY REFERENCES joined, receiver text);
            CREATE TABLE single (id text PRIMARY KEY, kind text NOT NULL, customer_id bigint NOT NULL REFERENCES customer,
                words text, answers text REFERENCES single, receiver text);
            CREATE TABLE plain_union (id uuid PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer, words text,
                answers uuid);
            CREATE TABLE union_letter (id uuid PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer, words text,
                answers uuid, receiver text);
            CREATE TABLE note (id int PRIMARY KEY, tenant text NOT NULL, words text);
            CREATE TABLE folder (id uuid PRIMARY KEY, customer_id bigint NOT NULL REFERENCES customer);
            CREATE TABLE page (id uuid PRIMARY KEY, folder_id uuid NOT NULL REFERENCES folder, words text);
            CREATE TABLE cover (id uuid PRIMARY KEY, folder_id uuid NOT NULL REFERENCES folder, words text);
            CREATE TABLE shelf (id uuid PRIMARY KEY, tenant text NOT NULL);
            CREATE TABLE sign (id uuid PRIMARY KEY, shelf_id uuid NOT NULL REFERENCES shelf, words text);
            """;

    @MappedSuperclass
    abstract static class Document {
        /** In the superclass of the root. */
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Customer customer;

        String words = "";

        String getWords() {
            return words;
        }

        abstract @Nullable Document answers();

        String receiver() {
            return "nobody";
        }
    }

    @Entity(name = "Joined")
    @Table(name = "joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined extends Document {
        @Id
        @Nullable
        UUID id;

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "answers")
        @Nullable
        Joined answers;

        Joined() {}

        Joined(UUID id, @Nullable Joined answers, Customer customer) {
            this.id = id;
            this.answers = answers;
            this.customer = customer;
        }

        @Override
        @Nullable
        Joined answers() {
            return answers;
        }
    }

    @Entity(name = "JoinedLetter")
    @Table(name = "joined_letter")
    static class JoinedLetter extends Joined {
        String receiver = "";

        JoinedLetter() {}

        JoinedLetter(UUID id, Joined answers, Customer customer) {
            super(id, answers, customer);
            this.receiver = "reader";
        }

        @Override
        String receiver() {
            return receiver;
        }
    }

    @Entity(name = "Single")
    @Table(name = "single")
    @Inheritance(strategy = InheritanceType.SINGLE_TABLE)
    @DiscriminatorColumn(name = "kind")
    @DiscriminatorValue("plain")
    static class Single extends Document {
        @Id
        @Nullable
        String id;

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "answers")
        @Nullable
        Single answers;

        Single() {}

        Single(String id, @Nullable Single answers, Customer customer) {
            this.id = id;
            this.answers = answers;
            this.customer = customer;
        }

        @Override
        @Nullable
        Single answers() {
            return answers;
        }
    }

    @Entity(name = "SingleLetter")
    @DiscriminatorValue("letter")
    static class SingleLetter extends Single {
        String receiver = "";

        SingleLetter() {}

        SingleLetter(String id, Single answers, Customer customer) {
            super(id, answers, customer);
            this.receiver = "reader";
        }

        @Override
        String receiver() {
            return receiver;
        }
    }

    @Entity(name = "Union")
    @Table(name = "plain_union")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class Union extends Document {
        @Id
        @Nullable
        UUID id;

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "answers")
        @Nullable
        Union answers;

        Union() {}

        Union(UUID id, @Nullable Union answers, Customer customer) {
            this.id = id;
            this.answers = answers;
            this.customer = customer;
        }

        @Override
        @Nullable
        Union answers() {
            return answers;
        }
    }

    @Entity(name = "UnionLetter")
    @Table(name = "union_letter")
    static class UnionLetter extends Union {
        String receiver = "";

        UnionLetter() {}

        UnionLetter(UUID id, Union answers, Customer customer) {
            super(id, answers, customer);
            this.receiver = "reader";
        }

        @Override
        String receiver() {
            return receiver;
        }
    }

    @Entity(name = "Note")
    @Table(name = "note")
    static class Note {
        @Id
        int id;

        @TenantId
        @ShardKey
        @Nullable
        String tenant;

        String words = "";

        Note() {}

        Note(int id, String words) {
            this.id = id;
            this.words = words;
        }
    }

    @Entity(name = "Folder")
    @Table(name = "folder")
    static class Folder {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Customer customer;

        @OneToMany(mappedBy = "folder", cascade = CascadeType.ALL)
        @Fetch(FetchMode.SUBSELECT)
        List<Page> pages = new ArrayList<>();

        @OneToOne(mappedBy = "folder", cascade = CascadeType.ALL)
        @Nullable
        Cover cover;

        Folder() {}

        Folder(UUID id, Customer customer) {
            this.id = id;
            this.customer = customer;
        }
    }

    @Entity(name = "Page")
    @Table(name = "page")
    static class Page {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Folder folder;

        String words = "";

        Page() {}

        Page(UUID id, Folder folder, String words) {
            this.id = id;
            this.folder = folder;
            this.words = words;
        }
    }

    @Entity(name = "Cover")
    @Table(name = "cover")
    static class Cover {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @OneToOne(fetch = FetchType.LAZY)
        @Nullable
        Folder folder;

        String words = "";

        Cover() {}

        Cover(UUID id, Folder folder, String words) {
            this.id = id;
            this.folder = folder;
            this.words = words;
        }
    }

    /** While Hibernate reads one, its shard key is still empty, which is the key of another shard. */
    @Entity(name = "Shelf")
    @Table(name = "shelf")
    static class Shelf {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        String tenant = "";

        @OneToOne(mappedBy = "shelf", cascade = CascadeType.ALL)
        @Nullable
        Sign sign;

        Shelf() {}

        Shelf(UUID id, String tenant) {
            this.id = id;
            this.tenant = tenant;
        }
    }

    @Entity(name = "Sign")
    @Table(name = "sign")
    static class Sign {
        @Id
        @Nullable
        UUID id;

        @ShardKey
        @OneToOne(fetch = FetchType.LAZY)
        @Nullable
        Shelf shelf;

        String words = "";

        Sign() {}

        Sign(UUID id, Shelf shelf) {
            this.id = id;
            this.shelf = shelf;
        }
    }
}
