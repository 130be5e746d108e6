package io.github.shardedid.extensions;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.hibernate.annotations.Filter;
import org.jspecify.annotations.Nullable;

/** In the shard of its book. */
@Entity
@Filter(name = "language")
public class Review {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    public @Nullable Book book;

    public String language = "en";

    protected Review() {}

    Review(Book book, String language) {
        this.book = book;
        this.language = language;
    }
}
