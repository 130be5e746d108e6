package io.github.shardedid.attack;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Has an id of a block that the database has reserved; lives with its holder. */
@Entity
class Booking {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Holder holder;

    long token;

    protected Booking() {}

    Booking(Holder holder, long token) {
        this.holder = holder;
        this.token = token;
    }
}
