package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A photo whose id is made by the database, and whose caption is unique over all shards. */
@Entity
@Table(name = "photo")
class ClaimedByDatabase {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    @UniqueAcrossShards
    @Nullable
    String caption;

    protected ClaimedByDatabase() {}

    ClaimedByDatabase(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
