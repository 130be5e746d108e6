package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Lives with its photo. */
@Entity
@Table(name = "photo_comment")
public class Comment {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @Nullable
    Photo photo;

    String words = "";

    protected Comment() {}

    public Comment(Photo photo, String words) {
        this.photo = photo;
        this.words = words;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }
}
