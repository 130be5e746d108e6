package io.github.shardedid.spring.id;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number is the id of a sharded entity: clients see it as text. On a property of what is written as JSON or read from
 * it, and on a parameter of a controller's method, which then takes the short text form, too.
 *
 * <p>For {@code Long} and {@code long} ({@code Integer} and {@code int} with a layout of 32 bits), and for collections,
 * arrays of objects and optionals of these; of a map with such keys it is the keys that are ids, of another map the values. An entity's own {@code @ShardedId}, and a {@code @ShardKey} that names what it
 * references, need no such annotation.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
public @interface IdOf {
    /**
     * Whose id it is, for messages.
     *
     * @return the entity's class; {@code void.class} if that does not matter
     */
    Class<?> value() default void.class;
}
