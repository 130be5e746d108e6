package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The attributes of the entities that determine the shard of a row, for the readers of queries, which know nothing else of the entities. */
interface AttributeRules {
    /** As {@link io.github.shardedid.hibernate.EntityShards#isSharded}. */
    boolean isSharded(Class<?> type);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byId}. */
    ShardRule byId(Class<?> entity);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byPath}. */
    Optional<ShardRule> byPath(Class<?> entity, String path);

    /** Returns the rule of an {@code @Any}, which may also refer to a row of the global database; that one it does not accept. */
    ShardRule byAny();

    /** Returns whether a rule needs an entity: nothing that is sent says where its row is. */
    boolean needsEntity(ShardRule rule);

    /** Returns whether two rules determine the same shard for values that are equal in the database. */
    boolean areAlike(ShardRule one, ShardRule other);

    /**
     * Returns the part of a composite id that names the shard.
     *
     * @param rule by the id as a whole
     * @param size of a tuple that is compared with the id
     * @return null if the rule is another one, or the tuple has other parts
     */
    @Nullable
    Part partOf(ShardRule rule, int size);

    /** A part of a tuple, and how it determines the shard. */
    record Part(int position, ShardRule rule) {}
}
