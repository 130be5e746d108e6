package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.unique.UniqueKey;
import java.util.List;
import java.util.Optional;
import org.hibernate.metamodel.model.domain.EntityDomainType;

/**
 * The attributes of the entities that determine the shard of a row, for the readers of queries, which know nothing
 * else of the entities.
 *
 * <p>An interface of five methods instead of {@link EntityShardRules}, so that {@link StatementReader} and
 * {@link QueryParameters} need neither a session factory nor a cluster. What they read is kept with the translated
 * statement and outlives any session.
 */
interface AttributeRules {
    /**
     * Returns whether the rows of an entity, or of an audit table, are in the shards. Only such an entity is a
     * relation of a statement: one of the global database needs no shard, and must not make a statement loose.
     */
    boolean isInShards(EntityDomainType<?> entity);

    /**
     * Returns the rule for a path that ends with an entity itself, as in {@code p.owner = :user}: the value is
     * an entity, or its id. See {@link io.github.shardedid.hibernate.EntityShards#byId}.
     */
    ShardRule byId(Class<?> entity);

    /**
     * Returns the rule for an attribute; empty if it does not determine the shard. See
     * {@link io.github.shardedid.hibernate.EntityShards#byPath}.
     *
     * @throws io.github.shardedid.routing.UnsupportedStatementException if the path leads over an attribute with
     *     {@code @ForeignShard} to more than the id of the other row
     */
    Optional<ShardRule> byPath(EntityDomainType<?> entity, String path);

    /** Returns the unique keys of an entity, whose claims name the shard of a row. None for an audit table. */
    List<UniqueKey> uniqueKeys(EntityDomainType<?> entity);

    /**
     * Returns whether two rules determine the same shard for values that are equal in the database.
     *
     * <p>Two relations may be joined to one group by an equality only then.
     */
    boolean areAlike(ShardRule one, ShardRule other);
}
