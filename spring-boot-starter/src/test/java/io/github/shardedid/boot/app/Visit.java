package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Its shard is the visitor's number modulo the shards. */
@Entity
public class Visit {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    long visitor;

    String page = "";

    protected Visit() {}

    public Visit(long visitor, String page) {
        this.visitor = visitor;
        this.page = page;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }
}
