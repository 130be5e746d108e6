package io.github.shardedid.benchmarks.started;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** The application's only entity. */
@Entity
@Table(name = "photo")
class StartedPhoto {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;
}
