package io.github.shardedid.example.photo;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A comment on a photo, in the photo's shard. The column's default generates the id during the insert, as for {@code psql}.
 */
@Entity
public class Comment {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private Photo photo;

    private Long userId;

    private String text;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init")
    protected Comment() {}

    /**
     * Creates a comment.
     *
     * @param photo the photo; saved
     * @param userId the id of the user, who may be in another shard
     * @param text the text
     */
    public Comment(Photo photo, Long userId, String text) {
        this.photo = photo;
        this.userId = userId;
        this.text = text;
    }

    /**
     * The id, once the comment is saved.
     *
     * @return a sharded id
     */
    public Long getId() {
        return Objects.requireNonNull(id, "the comment is not saved yet");
    }

    /**
     * The photo.
     *
     * @return a photo, or a proxy that has only the id
     */
    public Photo getPhoto() {
        return photo;
    }

    /**
     * The user who wrote the comment.
     *
     * @return a user's id
     */
    public Long getUserId() {
        return userId;
    }

    /**
     * The text.
     *
     * @return 1 to 2,200 characters
     */
    public String getText() {
        return text;
    }
}
