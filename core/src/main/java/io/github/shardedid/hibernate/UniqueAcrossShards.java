package io.github.shardedid.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes the value of an attribute of a sharded entity unique over all shards. On an attribute, also within an embeddable; or on the entity, for
 * the combination of several {@linkplain #attributes attributes}. The entity has a {@link ShardedId}, or shares that of another one.
 *
 * <p>Before a row is inserted, or gets another value, the value is claimed in the shard of its hash. If another row has it, a {@link
 * DuplicateValueException} is thrown before the row is sent. A value is free again once its row is deleted or has another one. A row with
 * {@code null} in one of the attributes claims nothing, as in a unique index of SQL. Rows that are written without Hibernate claim nothing, so
 * they are not noticed.
 *
 * <p>The values are compared as they are stored, after an {@code AttributeConverter}: as texts, whole numbers or UUIDs. Blanks
 * at the end of a text do not count. Hibernate updates only
 * changed columns of such an entity, as with {@code @DynamicUpdate}: otherwise a stale object would write a value that another row has claimed
 * since.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(UniqueAcrossShards.List.class)
public @interface UniqueAcrossShards {
    /**
     * The attributes whose combination is unique, if the annotation is on an entity.
     *
     * @return names such as {@code tenant} and {@code address.city}; empty on an attribute, which is meant then
     */
    String[] attributes() default {};

    /**
     * Whether texts that differ in case only are equal. They are compared in Unicode normalization form C, by the rules of {@link
     * java.util.Locale#ROOT}, whatever the collation of the column is: texts are equal that have the same lower or the same upper case.
     *
     * @return false by default
     */
    boolean ignoreCase() default false;

    /** Several combinations of one entity. */
    @Documented
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {
        /**
         * The combinations.
         *
         * @return one or more
         */
        UniqueAcrossShards[] value();
    }
}
