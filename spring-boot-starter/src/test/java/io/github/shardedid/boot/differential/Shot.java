package io.github.shardedid.boot.differential;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Lives with its album; without a version, and the root of a hierarchy. */
@Entity
@Inheritance(strategy = InheritanceType.JOINED)
public class Shot implements Row {
    @Id
    @ShardedId
    @Nullable
    Long id;

    int number;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @Nullable
    Album album;

    @Nullable
    String caption;

    protected Shot() {}

    Shot(@Nullable Long id, int number, @Nullable Album album, String caption) {
        this.id = id;
        this.number = number;
        this.album = album;
        this.caption = caption;
    }

    @Override
    public @Nullable Long getId() {
        return id;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public void become(String value) {
        caption = value;
    }

    @Override
    public @Nullable Long parent() {
        return Text.idOf(album);
    }

    @Nullable
    Album album() {
        return album;
    }

    @Override
    public String toString() {
        return "Shot#" + number + " '" + caption + "' of " + parent();
    }
}
