package io.github.shardedid.attack;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Has an id of the column's default; lives with its holder. */
@Entity
class Receipt {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Holder holder;

    long token;

    protected Receipt() {}

    Receipt(Holder holder, long token) {
        this.holder = holder;
        this.token = token;
    }
}
