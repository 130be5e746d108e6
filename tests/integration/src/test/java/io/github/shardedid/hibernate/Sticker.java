package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Has no shard key. */
@Entity
class Sticker {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String motif = "";

    protected Sticker() {}

    Sticker(String motif) {
        this.motif = motif;
    }
}
