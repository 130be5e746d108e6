package io.github.shardedid.tenants;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.hibernate.annotations.TenantId;
import org.jspecify.annotations.Nullable;

/** A row of a tenant whose id names no shard. */
@Entity
public class Label {
    @Id
    UUID id = UUID.randomUUID();

    @TenantId
    @ShardKey
    @Nullable
    String tenant;

    String subject = "";

    protected Label() {}

    Label(String subject) {
        this.subject = subject;
    }
}
