package io.github.shardedid.spring.id;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a number as the id of a sharded entity, which clients see as text. Use it on properties that are written to or read from
 * JSON, and on parameters of controller methods, which then accept the short text form, too.
 *
 * <p>For {@code Long} and {@code long} ({@code Integer} and {@code int} with a layout of 32 bits), and for collections,
 * arrays of objects and optionals of these. In a map with keys of these types the keys are ids, in other maps the values. The
 * {@code @ShardedId} of an entity and a {@code @ShardKey} with {@code references} need no such annotation.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
public @interface IdOf {
    /**
     * The entity, for messages.
     *
     * @return the class of the entity whose id it is; {@code void.class} for any
     */
    Class<?> value() default void.class;
}
