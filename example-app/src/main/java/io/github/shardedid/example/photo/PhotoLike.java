package io.github.shardedid.example.photo;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** That a user likes a photo, in the photo's shard. The user may live in another, hence is an id and no association. */
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
     * A new like.
     *
     * @param photo what is liked; saved
     * @param userId the id of who likes it
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
     * What is liked.
     *
     * @return a photo, of which perhaps only the id is loaded
     */
    public Photo getPhoto() {
        return photo;
    }

    /**
     * Who likes it.
     *
     * @return a user's id
     */
    public Long getUserId() {
        return userId;
    }
}
