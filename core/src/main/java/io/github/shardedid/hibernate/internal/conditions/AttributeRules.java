package io.github.shardedid.hibernate.internal.conditions;

import io.github.shardedid.hibernate.ShardRule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which attributes of the entities determine the shard of a row, as the readers of queries ask for it. */
public interface AttributeRules {
    /** As {@link io.github.shardedid.hibernate.EntityShards#isSharded}. */
    boolean isSharded(Class<?> type);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byId}. */
    ShardRule byId(Class<?> entity);

    /** As {@link io.github.shardedid.hibernate.EntityShards#byPath}. */
    Optional<ShardRule> byPath(Class<?> entity, String path);

    /** By an entity that an {@code @Any} refers to: a row of the same shard, or of the global database, which it does not accept. */
    ShardRule byAny();

    /** Whether a rule needs an entity: nothing that is sent says where its row is. */
    boolean needsEntity(ShardRule rule);

    /** Whether two rules determine the same shard for values that are equal in the database. */
    boolean areAlike(ShardRule one, ShardRule other);

    /**
     * The part of a composite id that names the shard.
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
