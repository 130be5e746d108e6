package io.github.shardedid.hibernate;

import io.github.shardedid.routing.WrongShardException;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Determines the logical shard of a new row. On an attribute of an entity:
 *
 * <ul>
 *   <li>a to-one association to a sharded entity: the row is stored in the shard of its parent's id;
 *   <li>a {@code Long} with {@link #references()}: the same, if only the parent's id is mapped (with a 32-bit layout also an
 *       {@code Integer});
 *   <li>a whole number: the number modulo the count of shards ({@code 31341 % 2000 = 1341});
 *   <li>a text or {@link java.util.UUID}: a stable hash, see {@link io.github.shardedid.topology.ShardKeys}.
 * </ul>
 *
 * <p>On a parameter of a repository method, the parameter's value determines the shard of the query: a value of the entity's shard
 * key, an entity of the shard, or, with {@link #references()}, a sharded id.
 *
 * <p>The shard key determines the shard once, when the row is new; afterwards the id does. A later change of the attribute does not
 * move the row. It is refused with a {@link WrongShardException} if the new value names another shard, because queries by the
 * attribute would look for the row there. A new row whose preset id and shard key name different shards is refused, too. The
 * attribute may be within an embeddable, and may be inherited.
 *
 * <p>On a part of a composite id, in the {@code @EmbeddedId} class or on an {@code @Id} attribute beside an {@code @IdClass}, it makes
 * the entity sharded: each id names the shard of its row by that part. An association to a sharded entity that is the only such part
 * needs no annotation.
 *
 * <p>On an entity whose id is a UUID, a text or a number without {@link ShardedId}, only the shard key names the shard, so it is never
 * null. The row is found by its id in the scope of its shard, or by a session that has read it; otherwise a
 * {@link io.github.shardedid.routing.NoShardException} is thrown.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
public @interface ShardKey {
    /**
     * The sharded entity whose id the annotated number is.
     *
     * @return an entity class with {@code @ShardedId}, not one whose id names no shard; {@code void.class} if the number is not an id
     */
    Class<?> references() default void.class;
}
