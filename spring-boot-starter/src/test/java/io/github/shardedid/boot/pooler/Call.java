package io.github.shardedid.boot.pooler;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A visit whose id the JVM makes. */
@Entity
@Table(name = "visit")
class Call {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @ShardKey
    long visitor;

    String page = "";

    protected Call() {}

    Call(long visitor) {
        this.visitor = visitor;
    }
}
