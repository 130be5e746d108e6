package io.github.shardedid.attack;

import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import org.jspecify.annotations.Nullable;

/** Has a name for which many compete. */
@Entity
class Login {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @Version
    int version;

    @UniqueAcrossShards(ignoreCase = true)
    @Nullable
    String name;

    int changes;

    protected Login() {}

    Login(@Nullable String name) {
        this.name = name;
    }
}
