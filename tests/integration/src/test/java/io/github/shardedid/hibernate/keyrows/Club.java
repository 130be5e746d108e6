package io.github.shardedid.hibernate.keyrows;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Members and what lives with them, by each kind of reference. */
final class Club {
    private Club() {}

    static Class<?>[] entities() {
        return new Class<?>[] {
            Member.class, Post.class, Label.class, Reply.class, Memo.class, Ticket.class, Folder.class
        };
    }

    @MappedSuperclass
    abstract static class Row {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String whose = "";
    }

    @Entity
    @Table(name = "member")
    @SecondaryTable(name = "member_details", pkJoinColumns = @PrimaryKeyJoinColumn(name = "member_id"))
    static class Member extends Row {
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Post pinned;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Member friend;

        @Column(table = "member_details")
        @Nullable
        String address;

        @ElementCollection
        @CollectionTable(name = "member_emails", joinColumns = @JoinColumn(name = "member_id"))
        @Column(name = "email")
        List<String> emails = new ArrayList<>();
    }

    @Entity
    @Table(name = "post")
    static class Post extends Row {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        @Nullable
        Member author;

        @ManyToMany
        @JoinTable(
                name = "post_labels",
                joinColumns = @JoinColumn(name = "post_id"),
                inverseJoinColumns = @JoinColumn(name = "labels_id"))
        Set<Label> labels = new HashSet<>();
    }

    @Entity
    @Table(name = "label")
    static class Label extends Row {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        @Nullable
        Member owner;
    }

    @Entity
    @Table(name = "reply")
    static class Reply extends Row {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        @Nullable
        Post post;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Reply parent;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Member writer;
    }

    @Entity
    @Table(name = "memo")
    static class Memo extends Row {
        @ShardKey(references = Member.class)
        long memberId;
    }

    @Entity
    @Table(name = "ticket")
    static class Ticket {
        @Id
        @Nullable
        UUID id;

        String whose = "";

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        @JoinColumn(name = "holder_id")
        @Nullable
        Member holder;
    }

    @Entity
    @Table(name = "folder")
    static class Folder extends Row {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Folder parent;
    }
}
