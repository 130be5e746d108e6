package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.target.ShardedIdGenerator;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * On the id of an entity: the id is sharded. Its bits say in which logical shard the row lives, and every operation that
 * has the id finds the row. The attribute is a {@code Long} or {@code long} (with a layout of 32 bits also an
 * {@code Integer} or {@code int}); composite ids are refused at start-up.
 *
 * <p>A new entity whose id is null (or 0, for a primitive) gets one when it is persisted; a preset id is kept, so that
 * rows can be imported.
 *
 * <p>An entity that takes its id over from a sharded one, with {@code @MapsId}, is sharded without it.
 */
@Documented
@IdGeneratorType(ShardedIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface ShardedId {
    /**
     * Who makes the id.
     *
     * @return {@link IdStrategy#DATABASE} unless said otherwise
     */
    IdStrategy strategy() default IdStrategy.DATABASE;

    /**
     * The table's sequence in each shard's schema, made by {@code CREATE SEQUENCE … MINVALUE 0}.
     *
     * @return its name without a schema; empty for {@code <table>_<column>_seq}, such as {@code photo_id_seq}
     */
    String sequence() default "";
}
