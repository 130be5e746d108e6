package io.github.shardedid.boot.test;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** With names that need quotes. */
@Entity
@Table(name = "\"Receipt\"")
class Receipt {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @Column(name = "\"Number\"")
    @Nullable
    Long number;

    @ShardKey(references = Customer.class)
    long customerId;

    protected Receipt() {}

    Receipt(long customerId) {
        this.customerId = customerId;
    }

    long number() {
        return java.util.Objects.requireNonNull(number);
    }
}
