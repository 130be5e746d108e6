package io.github.shardedid.drafts

import io.github.shardedid.hibernate.ShardKey
import io.github.shardedid.hibernate.ShardedId
import jakarta.persistence.Entity
import jakarta.persistence.Id

/** Its shard key is one of the parameter alone. */
@Entity
class Draft(
    @param:ShardKey val userId: Long,
    @Id @ShardedId val id: Long? = null,
)
