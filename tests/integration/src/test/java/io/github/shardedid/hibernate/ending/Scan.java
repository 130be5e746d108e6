package io.github.shardedid.hibernate.ending;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import java.sql.Blob;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** With a large object of PostgreSQL. */
@Entity
class Scan {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @Lob
    @Nullable
    Blob image;

    long id() {
        return Objects.requireNonNull(id);
    }

    Blob image() {
        return Objects.requireNonNull(image);
    }
}
