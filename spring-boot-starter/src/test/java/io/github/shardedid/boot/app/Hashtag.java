package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Its shard is the hash of its name. */
@Entity
public class Hashtag {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    String name = "";

    protected Hashtag() {}

    public Hashtag(String name) {
        this.name = name;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }
}
