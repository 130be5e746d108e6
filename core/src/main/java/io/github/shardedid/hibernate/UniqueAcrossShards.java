package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.unique.ClaimInspection;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;

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

    /**
     * The claims of the unique values of a session factory's entities: for rows that were stored without one. Safe for use by several
     * threads, and processes.
     */
    final class Claims {
        private final SessionFactoryImplementor factory;
        private final Sharding sharding;

        private Claims(SessionFactoryImplementor factory, Sharding sharding) {
            this.factory = factory;
            this.sharding = sharding;
        }

        /**
         * The claims of a session factory.
         *
         * @param factory a session factory or entity manager factory of Hibernate; never null
         * @return empty if its data source does not route
         */
        public static Optional<Claims> of(SessionFactory factory) {
            SessionFactoryImplementor implementor = factory.unwrap(SessionFactoryImplementor.class);
            return Optional.ofNullable(Sharding.of(implementor.getServiceRegistry()))
                    .map(sharding -> new Claims(implementor, sharding));
        }

        /**
         * The keys of which some rows may not have claimed their values, so that they may have duplicates, and queries do not find rows by
         * them. Queries no database.
         *
         * @return their names, such as {@code member(lower(email))}; empty if each row has
         */
        public Set<String> unbuilt() {
            return sharding.uniqueKeys().unbuilt();
        }

        /**
         * Claims the values of all rows in batches, and goes on where an earlier call has stopped. If there is no duplicate, queries find
         * rows by their values from then on: in this process at once, in others some seconds later.
         *
         * @param progress receives a line for each shard
         * @return the duplicates, with ids and shards; empty if there is none
         * @throws org.hibernate.HibernateException if a database cannot be reached; what was claimed remains
         */
        public java.util.List<String> build(Consumer<String> progress) {
            return new ClaimInspection(sharding.dataSource(), sharding.uniqueKeys(), factory, progress).build();
        }

        /**
         * Compares all rows with their claims.
         *
         * @param remove whether claims that name no row with their value are removed: such claims harm nobody, but use space
         * @param progress receives a line for each key
         * @return rows without a claim, and rows with one value; empty if there is none
         * @throws org.hibernate.HibernateException if a database cannot be reached
         */
        public java.util.List<String> check(boolean remove, Consumer<String> progress) {
            return new ClaimInspection(sharding.dataSource(), sharding.uniqueKeys(), factory, progress).check(remove);
        }
    }

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
