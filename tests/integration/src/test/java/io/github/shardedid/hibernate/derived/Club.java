package io.github.shardedid.hibernate.derived;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Members, and rows whose only id is their member, or another such row. */
final class Club {
    private Club() {}

    static final Class<?>[] ENTITIES = {Member.class, Badge.class, Locker.class, Pin.class};

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE club_member_id_seq MINVALUE 0;
            CREATE TABLE club_member (id bigint PRIMARY KEY, name text);
            CREATE TABLE badge (member_id bigint PRIMARY KEY REFERENCES club_member, words text, version int NOT NULL);
            CREATE TABLE badge_colours (member_id bigint NOT NULL REFERENCES badge, colour text NOT NULL);
            CREATE TABLE locker (member_id bigint PRIMARY KEY REFERENCES club_member, words text);
            CREATE SEQUENCE pin_id_seq MINVALUE 0;
            CREATE TABLE pin (id bigint PRIMARY KEY, badge_id bigint NOT NULL REFERENCES badge, words text);
            """;

    @Entity(name = "Member")
    @Table(name = "club_member")
    static class Member {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String name = "";

        @OneToOne(mappedBy = "member", cascade = CascadeType.ALL, orphanRemoval = true)
        @Nullable
        Locker locker;

        Member() {}

        Member(String name) {
            this.name = name;
        }

        String getName() {
            return name;
        }
    }

    @Entity(name = "Badge")
    static class Badge implements Serializable {
        @Id
        @OneToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "member_id")
        @Nullable
        Member member;

        String words = "";

        @ElementCollection
        @CollectionTable(name = "badge_colours", joinColumns = @JoinColumn(name = "member_id"))
        @Column(name = "colour")
        Set<String> colours = new HashSet<>();

        @Version
        int version;

        Badge() {}

        Badge(Member member, String words) {
            this.member = member;
            this.words = words;
        }

        String getWords() {
            return words;
        }
    }

    /** Reached from its member. */
    @Entity(name = "Locker")
    static class Locker implements Serializable {
        @Id
        @OneToOne
        @JoinColumn(name = "member_id")
        @Nullable
        Member member;

        String words = "";

        Locker() {}

        Locker(Member member, String words) {
            this.member = member;
            this.words = words;
        }
    }

    /** Refers to a row with such an id. */
    @Entity(name = "Pin")
    static class Pin {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "badge_id")
        @Nullable
        Badge badge;

        String words = "";

        Pin() {}

        Pin(Badge badge, String words) {
            this.badge = badge;
            this.words = words;
        }
    }
}
