package io.github.shardedid.benchmarks.peers;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A photo as plain JPA and the peers read it. */
@Entity
@Table(name = "photo")
public class Photo {
    @Id
    @Nullable
    Long id;

    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected Photo() {}
}
