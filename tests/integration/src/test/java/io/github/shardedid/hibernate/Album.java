package io.github.shardedid.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Owns its leaves, which know nothing of it. */
@Entity
class Album {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    long userId;

    @OneToMany(cascade = CascadeType.ALL, fetch = FetchType.EAGER)
    @JoinColumn(name = "album_id")
    List<Leaf> leaves = new ArrayList<>();

    /** Is saved before the album. */
    @OneToOne(cascade = CascadeType.ALL)
    @Nullable
    Leaf cover;

    protected Album() {}

    Album(long userId) {
        this.userId = userId;
    }
}
