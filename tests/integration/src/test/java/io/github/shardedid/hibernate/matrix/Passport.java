package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToOne;
import org.jspecify.annotations.Nullable;

/** The other side of a one-to-one association. */
@Entity
class Passport {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @OneToOne(fetch = FetchType.LAZY)
    @Nullable
    Traveller holder;

    String number = "";
}
