package io.github.shardedid.spring.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A repository method that queries all shards and merges their rows in the requested order: a derived query, a method with
 * {@code @Query}, or a redeclared {@code findAll} or {@code count}. Writes, and queries that are not known to merge correctly, are
 * refused with {@link io.github.shardedid.routing.UnsupportedStatementException}.
 *
 * <p>In the scope of a {@link io.github.shardedid.routing.ShardSet}, only its shards are queried.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface AllShards {
    /**
     * Evaluates the query in each shard separately, although joins, subselects and functions may then miss rows in other
     * shards. Otherwise only those are allowed that are known to need rows of the same shard only.
     *
     * @return whether to evaluate it in each shard separately; false by default
     */
    boolean perShard() default false;
}
