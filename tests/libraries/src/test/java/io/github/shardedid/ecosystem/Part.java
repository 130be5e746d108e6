package io.github.shardedid.ecosystem;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Objects;
import org.hibernate.annotations.SoftDelete;
import org.jspecify.annotations.Nullable;

/** Its rows are marked instead of deleted. */
@Entity
@SoftDelete
class Part {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable Gadget gadget;

    protected Part() {}

    Part(Gadget gadget) {
        this.gadget = gadget;
    }

    @Nullable
    Gadget gadget() {
        return gadget;
    }

    long id() {
        return Objects.requireNonNull(id);
    }
}
