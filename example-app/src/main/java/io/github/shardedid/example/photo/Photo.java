package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A photo, in its author's shard. Its id contains the time of creation. */
@Entity
public class Photo {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private User author;

    private String caption;

    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable Location location;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init")
    protected Photo() {}

    /**
     * Creates a photo.
     *
     * @param author the author; saved
     * @param caption the caption
     * @param location where it was taken; null if that is unknown
     */
    public Photo(User author, String caption, @Nullable Location location) {
        this.author = author;
        this.caption = caption;
        this.location = location;
    }

    /**
     * The id, once the photo is saved.
     *
     * @return a sharded id
     */
    public Long getId() {
        return Objects.requireNonNull(id, "the photo is not saved yet");
    }

    /**
     * The author.
     *
     * @return a user, or a proxy that has only the id
     */
    public User getAuthor() {
        return author;
    }

    /**
     * The caption.
     *
     * @return 1 to 2,200 characters
     */
    public String getCaption() {
        return caption;
    }

    /**
     * Where it was taken.
     *
     * @return a location, or a proxy that has only the id; null if that is unknown
     */
    public @Nullable Location getLocation() {
        return location;
    }
}
