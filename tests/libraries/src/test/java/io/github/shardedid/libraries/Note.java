package io.github.shardedid.libraries;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** What jobs write to shards. */
@Entity
class Note {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String words = "";

    protected Note() {}

    Note(String words) {
        this.words = words;
    }
}
