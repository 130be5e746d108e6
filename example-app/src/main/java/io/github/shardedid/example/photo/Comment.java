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
 * What a user says of a photo, in the photo's shard. Here the column's default makes the id during the insert, as it does
 * for {@code psql}.
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
     * A new comment.
     *
     * @param photo what it is about; saved
     * @param userId the id of who says it, who may live in another shard
     * @param text what is said
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
     * What it is about.
     *
     * @return a photo, of which perhaps only the id is loaded
     */
    public Photo getPhoto() {
        return photo;
    }

    /**
     * Who says it.
     *
     * @return a user's id
     */
    public Long getUserId() {
        return userId;
    }

    /**
     * What is said.
     *
     * @return 1 to 2,200 characters
     */
    public String getText() {
        return text;
    }
}
