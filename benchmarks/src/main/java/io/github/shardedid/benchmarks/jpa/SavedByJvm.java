package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A remark whose id is made in the JVM. */
@Entity
@Table(name = "remark")
public class SavedByJvm {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected SavedByJvm() {}

    /** A new one. */
    public SavedByJvm(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
