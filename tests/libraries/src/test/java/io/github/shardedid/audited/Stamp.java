package io.github.shardedid.audited;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import org.hibernate.envers.Audited;
import org.jspecify.annotations.Nullable;

/** Its id names no shard. */
@Entity
@Audited
public class Stamp {
    @Id
    @Nullable
    UUID id;

    @ShardKey
    String tenant = "";
}
