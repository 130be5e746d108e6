package io.github.shardedid.spring.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A query method of a repository that asks all shards and merges their rows in the requested order: a derived query, one
 * with {@code @Query}, or a redeclared {@code findAll} or {@code count}. What is not known to merge is refused with {@link
 * io.github.shardedid.routing.UnmergeableQueryException}; so are writes.
 *
 * <p>If the caller has opened a {@link io.github.shardedid.routing.ShardSet}, its shards are asked instead of all.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface AllShards {
    /**
     * Whether each shard is meant by itself: joins, subselects and functions may compare rows that have no partner in their own
     * shard but in another one. Without it, only those are allowed that are known to find all partners in the row's own shard.
     *
     * @return false unless the query is meant that way
     */
    boolean perShard() default false;
}
