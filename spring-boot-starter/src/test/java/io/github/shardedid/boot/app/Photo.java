package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Lives with its author. */
@Entity
public class Photo {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @Nullable
    User author;

    @Nullable
    String caption;

    protected Photo() {}

    public Photo(User author, String caption) {
        this.author = author;
        this.caption = caption;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }

    public void setId(Long id) {
        this.id = id;
    }

    public @Nullable User getAuthor() {
        return author;
    }

    public void setAuthor(User author) {
        this.author = author;
    }

    public @Nullable String getCaption() {
        return caption;
    }

    public void setCaption(String caption) {
        this.caption = caption;
    }
}
