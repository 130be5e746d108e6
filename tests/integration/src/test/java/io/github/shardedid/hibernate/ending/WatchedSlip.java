package io.github.shardedid.hibernate.ending;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PreRemove;
import jakarta.persistence.Table;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Its callbacks refuse what was written. */
@Entity
@Table(name = "slip")
class WatchedSlip extends Slip {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @PostPersist
    @PostUpdate
    @PreRemove
    void refuse() {
        throw new IllegalStateException("refused by a callback");
    }

    @Override
    long id() {
        return Objects.requireNonNull(id);
    }
}
