package io.github.shardedid.example.photo;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A user's like of a photo, in the photo's shard. The user may be in another shard, so this has an id, not an association. */
@Entity
public class PhotoLike {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private Photo photo;

    private Long userId;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init")
    protected PhotoLike() {}

    /**
     * Creates a like.
     *
     * @param photo the photo; saved
     * @param userId the id of the user
     */
    public PhotoLike(Photo photo, Long userId) {
        this.photo = photo;
        this.userId = userId;
    }

    /**
     * The id, once the like is saved.
     *
     * @return a sharded id
     */
    public Long getId() {
        return Objects.requireNonNull(id, "the like is not saved yet");
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
     * The user who likes the photo.
     *
     * @return a user's id
     */
    public Long getUserId() {
        return userId;
    }
}
