package io.github.shardedid.hibernate.globalsets;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.jspecify.annotations.Nullable;

/** Accounts in the shards, and what they may have, in the global database. The mappings have no annotation of the project but the id. */
final class Accounts {
    private Accounts() {}

    static final Class<?>[] ENTITIES = {
        Account.class, Authority.class, Tag.class, Level.class, Badge.class, GoldBadge.class
    };

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE account_id_seq MINVALUE 0;
            CREATE TABLE account (id bigint PRIMARY KEY, login text NOT NULL, version int NOT NULL);
            CREATE TABLE account_authority (account_id bigint NOT NULL REFERENCES account, authority_name text NOT NULL,
                PRIMARY KEY (account_id, authority_name));
            CREATE TABLE account_tag (account_id bigint NOT NULL REFERENCES account, tags_id uuid NOT NULL);
            CREATE TABLE account_level (account_id bigint NOT NULL REFERENCES account, levels_id bigint NOT NULL,
                levels_order int NOT NULL, PRIMARY KEY (account_id, levels_order));
            CREATE TABLE account_badge (account_id bigint NOT NULL REFERENCES account, badges_id int NOT NULL,
                PRIMARY KEY (account_id, badges_id));
            """;

    static final String GLOBAL_TABLES =
            """
            CREATE TABLE authority (name text PRIMARY KEY, title text NOT NULL);
            CREATE TABLE tag (id uuid PRIMARY KEY, title text NOT NULL);
            CREATE TABLE level (id bigint PRIMARY KEY, title text NOT NULL);
            CREATE TABLE badge (id int PRIMARY KEY, kind text NOT NULL, title text NOT NULL);
            """;

    interface Titled {
        String getTitle();
    }

    @Entity(name = "Account")
    @Table(name = "account")
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Account {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String login = "";

        @Version
        int version;

        /** As JHipster generates it. */
        @ManyToMany
        @JoinTable(
                name = "account_authority",
                joinColumns = {@JoinColumn(name = "account_id", referencedColumnName = "id")},
                inverseJoinColumns = {@JoinColumn(name = "authority_name", referencedColumnName = "name")})
        @Cache(usage = CacheConcurrencyStrategy.NONSTRICT_READ_WRITE)
        @BatchSize(size = 20)
        Set<Authority> authorities = new HashSet<>();

        @ManyToMany
        List<Tag> tags = new ArrayList<>();

        @ManyToMany
        @OrderColumn
        @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
        List<Level> levels = new ArrayList<>();

        @ManyToMany(fetch = FetchType.EAGER)
        Set<Badge> badges = new HashSet<>();

        Account() {}

        Account(@Nullable Long id, String login) {
            this.id = id;
            this.login = login;
        }
    }

    @Entity(name = "Authority")
    @Table(name = "authority")
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Authority implements Titled {
        @Id
        String name = "";

        String title = "";

        Authority() {}

        Authority(String name) {
            this.name = name;
            this.title = "title of " + name;
        }

        String getName() {
            return name;
        }

        @Override
        public String getTitle() {
            return title;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Authority authority && getName().equals(authority.getName());
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(getName());
        }
    }

    @Entity(name = "Tag")
    @Table(name = "tag")
    static class Tag implements Titled {
        @Id
        @Nullable
        UUID id;

        String title = "";

        Tag() {}

        Tag(int number) {
            this.id = new UUID(7, number);
            this.title = "title of tag " + number;
        }

        @Override
        public String getTitle() {
            return title;
        }
    }

    @Entity(name = "Level")
    @Table(name = "level")
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Level implements Titled {
        @Id
        long id;

        String title = "";

        Level() {}

        Level(long id) {
            this.id = id;
            this.title = "title of level " + id;
        }

        @Override
        public String getTitle() {
            return title;
        }
    }

    @Entity(name = "Badge")
    @Table(name = "badge")
    @DiscriminatorColumn(name = "kind")
    static class Badge implements Titled {
        @Id
        int id;

        String title = "";

        Badge() {}

        Badge(int id) {
            this.id = id;
            this.title = "title of badge " + id;
        }

        @Override
        public String getTitle() {
            return title;
        }
    }

    @Entity(name = "GoldBadge")
    static class GoldBadge extends Badge {
        GoldBadge() {}

        GoldBadge(int id) {
            super(id);
        }
    }
}
