package io.github.shardedid.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Users, wherever they are, comment the posts of others and follow each other. */
final class Circles {
    private Circles() {}

    static final Class<?>[] ENTITIES = {User.class, Post.class, Comment.class, Praise.class, Topic.class, Staff.class};

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE app_user_id_seq MINVALUE 0;
            CREATE TABLE app_user (id bigint PRIMARY KEY, kind text, name text, version int NOT NULL);
            CREATE SEQUENCE post_id_seq MINVALUE 0;
            CREATE TABLE post (id bigint PRIMARY KEY, author_id bigint NOT NULL, text text);
            CREATE SEQUENCE comment_id_seq MINVALUE 0;
            CREATE TABLE comment (id bigint PRIMARY KEY, kind text, post_id bigint NOT NULL, author_id bigint, editor_id bigint,
                reader_id bigint UNIQUE, topic_id bigint, text text, version int NOT NULL);
            CREATE TABLE comment_mentions (comment_id bigint NOT NULL, note text, user_id bigint);
            """;

    static final String GLOBAL_TABLES =
            """
            CREATE TABLE topic (id bigint PRIMARY KEY, title text, owner_id bigint);
            """;

    @Entity(name = "User")
    @Table(name = "app_user")
    @DiscriminatorColumn(name = "kind")
    static class User {
        @Id
        @ShardedId
        @Nullable
        Long id;

        String name = "";

        @Version
        int version;

        User() {}

        User(String name) {
            this.name = name;
        }

        String getName() {
            return name;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof User user && getId() != null && getId().equals(user.getId());
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Nullable
        Long getId() {
            return id;
        }
    }

    @Entity(name = "Staff")
    static class Staff extends User {
        Staff() {}

        Staff(String name) {
            super(name);
        }
    }

    @Entity(name = "Post")
    @Table(name = "post")
    static class Post {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User author;

        String text = "";

        @OneToMany(mappedBy = "post", cascade = CascadeType.ALL, orphanRemoval = true)
        List<Comment> comments = new ArrayList<>();

        Post() {}

        Post(User author) {
            this.author = author;
        }
    }

    @Embeddable
    static class Edit {
        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User editor;
    }

    @Embeddable
    static class Mention {
        @Nullable
        String note;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User user;
    }

    @Entity(name = "Comment")
    @Table(name = "comment")
    @DiscriminatorColumn(name = "kind")
    static class Comment {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Post post;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User author;

        @ForeignShard
        @OneToOne(fetch = FetchType.LAZY)
        @Nullable
        User reader;

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Topic topic;

        @Embedded
        Edit edit = new Edit();

        @ElementCollection
        @CollectionTable(name = "comment_mentions", joinColumns = @JoinColumn(name = "comment_id"))
        List<Mention> mentions = new ArrayList<>();

        String text = "";

        @Version
        int version;

        Comment() {}

        Comment(Post post, User author, String text) {
            this.post = post;
            this.author = author;
            this.text = text;
        }
    }

    @Entity(name = "Praise")
    static class Praise extends Comment {
        Praise() {}

        Praise(Post post, User author, String text) {
            super(post, author, text);
        }
    }

    @Entity(name = "Topic")
    @Table(name = "topic")
    static class Topic {
        @Id
        long id;

        String title = "";

        @ForeignShard
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        User owner;
    }
}
