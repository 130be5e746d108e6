package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ForeignShard;
import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What a user thinks of a photo: in the shard of the photo, whose id is a part of its own. */
@Entity
@IdClass(Rating.Key.class)
public class Rating {
    @Id
    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable Photo photo;

    @Id
    @ForeignShard
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable User user;

    private int stars;

    /** The id. */
    public record Key(@Nullable Long photo, @Nullable Long user) implements Serializable {}

    protected Rating() {}

    public Rating(Photo photo, User user, int stars) {
        this.photo = photo;
        this.user = user;
        this.stars = stars;
    }

    public Key key() {
        return new Key(photo == null ? null : photo.id(), user == null ? null : user.id());
    }

    public @Nullable User getUser() {
        return user;
    }

    public int getStars() {
        return stars;
    }

    public void setStars(int stars) {
        this.stars = stars;
    }
}
