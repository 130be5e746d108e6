package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A remark whose id is made in the JVM, and whose caption is unique over all shards. */
@Entity
@Table(name = "remark")
class ClaimedByJvm {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    @UniqueAcrossShards
    @Nullable
    String caption;

    protected ClaimedByJvm() {}

    ClaimedByJvm(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
