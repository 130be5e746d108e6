package io.github.shardedid.hibernate.ending;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "slip")
class ShardedSlip extends Slip {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @Override
    long id() {
        return Objects.requireNonNull(id);
    }
}
