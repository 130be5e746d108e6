package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.routing.ShardedIdGenerator;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Marks the id of a sharded entity. The bits of the id contain the logical shard of the row, and every operation that has the id
 * finds the row. The attribute is a {@code Long} or {@code long} (with a 32-bit layout also an {@code Integer} or {@code int}).
 *
 * <p>A new entity whose id is null (or 0, for a primitive) gets one when it is persisted; a preset id is kept, so that rows can be
 * imported.
 *
 * <p>An entity that shares the id of a sharded entity, with {@code @MapsId}, or whose composite id has a part that names the shard
 * (see {@link ShardKey}), is sharded without this annotation.
 */
@Documented
@IdGeneratorType(ShardedIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface ShardedId {
    /**
     * Returns how the id is generated.
     *
     * @return {@link IdStrategy#DATABASE} by default
     */
    IdStrategy strategy() default IdStrategy.DATABASE;

    /**
     * The table's sequence in each shard's schema, created by {@code CREATE SEQUENCE … MINVALUE 0}.
     *
     * @return the name without a schema; empty for {@code <table>_<column>_seq}, such as {@code photo_id_seq}
     */
    String sequence() default "";
}
