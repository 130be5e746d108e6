package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import java.util.Optional;

/** Which attributes of the entities determine the shard of a row, as the readers of queries ask for it. */
interface AttributeRules {
    /** As {@link io.github.shardedid.hibernate.EntityShards#isSharded}. */
    boolean isSharded(Class<?> type);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byId}. */
    ShardRule byId(Class<?> entity);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byPath}. */
    Optional<ShardRule> byPath(Class<?> entity, String path);
}
