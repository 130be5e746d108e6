package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import java.util.Optional;
import org.hibernate.metamodel.model.domain.EntityDomainType;

/** The attributes of the entities that determine the shard of a row, for the readers of queries, which know nothing else of the entities. */
interface AttributeRules {
    /** Returns whether the rows of an entity, or of an audit table, are in the shards. */
    boolean isInShards(EntityDomainType<?> entity);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byId}. */
    ShardRule byId(Class<?> entity);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byPath}. */
    Optional<ShardRule> byPath(EntityDomainType<?> entity, String path);

    /** Returns whether two rules determine the same shard for values that are equal in the database. */
    boolean areAlike(ShardRule one, ShardRule other);
}
