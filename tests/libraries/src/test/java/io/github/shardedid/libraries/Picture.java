package io.github.shardedid.libraries;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.hibernate.envers.Audited;
import org.jspecify.annotations.Nullable;

/** Audited with the flag that its caption has changed. */
@Entity
@Audited
class Picture {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Album album;

    @Audited(withModifiedFlag = true)
    String caption = "";

    protected Picture() {}

    Picture(Album album, String caption) {
        this.album = album;
        this.caption = caption;
    }

    String caption() {
        return caption;
    }

    @Nullable
    Album album() {
        return album;
    }
}
