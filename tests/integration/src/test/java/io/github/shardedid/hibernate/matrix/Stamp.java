package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** The JVM makes its ids. */
@Entity
class Stamp {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @ShardKey(references = Person.class)
    long writer;

    protected Stamp() {}

    Stamp(long writer) {
        this.writer = writer;
    }
}
