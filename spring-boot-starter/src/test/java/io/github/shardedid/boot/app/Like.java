package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Lives with its photo, of which only the id is mapped; the column's default makes its id. */
@Entity(name = "PhotoLike")
@Table(name = "photo_like")
public class Like {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @Nullable
    Long id;

    @ShardKey(references = Photo.class)
    long photoId;

    String fan = "";

    protected Like() {}

    public Like(long photoId, String fan) {
        this.photoId = photoId;
        this.fan = fan;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }
}
