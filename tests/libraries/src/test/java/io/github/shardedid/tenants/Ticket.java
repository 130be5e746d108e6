package io.github.shardedid.tenants;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import org.hibernate.annotations.TenantId;
import org.jspecify.annotations.Nullable;

/** A row of a tenant. */
@Entity
public class Ticket {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @TenantId
    @ShardKey
    @Nullable
    String tenant;

    @Version
    int version;

    String subject = "";

    protected Ticket() {}

    Ticket(String subject) {
        this.subject = subject;
    }

    String subject() {
        return subject;
    }
}
