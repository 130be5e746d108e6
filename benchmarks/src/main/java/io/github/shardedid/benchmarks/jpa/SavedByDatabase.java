package io.github.shardedid.benchmarks.jpa;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A photo whose id is made by the database, in blocks. */
@Entity
@Table(name = "photo")
public class SavedByDatabase {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected SavedByDatabase() {}

    /** A new one. */
    public SavedByDatabase(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
