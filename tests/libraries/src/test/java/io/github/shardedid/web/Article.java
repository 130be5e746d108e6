package io.github.shardedid.web;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** In the shard of its author. */
@Entity
public class Article {
    @Id
    @ShardedId
    @Nullable
    private Long id;

    @Nullable
    private String title;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    private Author author;

    protected Article() {}

    Article(String title, Author author) {
        this.title = title;
        this.author = author;
    }

    public @Nullable Long getId() {
        return id;
    }

    public void setId(@Nullable Long id) {
        this.id = id;
    }

    public @Nullable String getTitle() {
        return title;
    }

    public void setTitle(@Nullable String title) {
        this.title = title;
    }

    public @Nullable Author getAuthor() {
        return author;
    }

    public void setAuthor(@Nullable Author author) {
        this.author = author;
    }
}
