package io.github.shardedid.hibernate.unique;

import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Has an e-mail address that nobody else has. */
@Entity
class Member {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @UniqueAcrossShards(ignoreCase = true)
    @Nullable
    String email;

    @Nullable
    String name;

    Member() {}

    Member(@Nullable String email) {
        this.email = email;
    }
}
