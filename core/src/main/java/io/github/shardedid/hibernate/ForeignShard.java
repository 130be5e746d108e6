package io.github.shardedid.hibernate;

import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;

/**
 * Marks an association to a row of another shard, such as the author of a comment: a lazy {@code @ManyToOne}, or a lazy
 * {@code @OneToOne} that owns its column, of an entity or embeddable. Only the id of the row is stored; the row is read from its own
 * shard, by its id, when it is first used. It may also be in the global database, for which no annotation is needed, and an entity of the
 * global database may refer to sharded rows. Rows that a session has not loaded yet are loaded together, with one statement for each
 * shard: 32 of them unless {@code @BatchSize} or Hibernate's setting says otherwise.
 *
 * <p>There is no foreign key, since no database could check it: if the row was deleted, its first use fails as for other lazy
 * associations, with {@link jakarta.persistence.EntityNotFoundException} in JPA. Nothing is written through the association, so it cascades
 * nothing, and no query joins or fetches it; a query can compare its id ({@code c.author.id}). What cannot work is refused at start-up, a
 * query at the latest before it is sent.
 */
@Documented
@AttributeBinderType(binder = ForeignShardBinder.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface ForeignShard {}
