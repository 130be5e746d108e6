package io.github.shardedid.tenants;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** A row of a customer, whom Hibernate does not know as a tenant. */
@Entity
public class Parcel {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    String customer = "";

    String subject = "";

    protected Parcel() {}

    Parcel(String customer, String subject) {
        this.customer = customer;
        this.subject = subject;
    }
}
