package io.github.shardedid.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On an entity, or the root of a hierarchy of entities, that inherits its id and thereby {@link ShardedId} from a mapped
 * superclass: the entity is global all the same, and its id is made by the default of its column, such as an identity
 * column's. An entity whose id has no {@link ShardedId} is global without this, unless its id contains the id of a sharded
 * entity: such an entity is refused at start-up without this annotation.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface GlobalEntity {}
