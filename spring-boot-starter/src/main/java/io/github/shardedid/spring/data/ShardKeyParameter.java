package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.lang.reflect.Parameter;
import java.util.Optional;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.jpa.repository.Modifying;

/** The parameter with {@link ShardKey} of a repository's method. */
record ShardKeyParameter(MethodName name, int index, Class<?> references) {
    /**
     * Looks for the parameter.
     *
     * @throws ShardedIdMappingException if there is more than one, since only one can decide
     */
    static Optional<ShardKeyParameter> in(MethodName name) {
        ShardKeyParameter found = null;
        Parameter[] parameters = name.method().getParameters();
        for (int i = 0; i < parameters.length; i++) {
            ShardKey annotation = parameters[i].getAnnotation(ShardKey.class);
            if (annotation != null && found != null) {
                throw new ShardedIdMappingException(name
                        + " has more than one parameter with @ShardKey. One decides the shard; annotate that one.");
            }
            if (annotation != null) {
                found = new ShardKeyParameter(name, i, annotation.references());
            }
        }
        return Optional.ofNullable(found);
    }

    MethodRoute route(Class<?> entity, EntityShards shards) {
        ShardRule rule = rule(entity, shards);
        boolean write = AnnotatedElementUtils.hasAnnotation(name.method(), Modifying.class)
                || name.method().getName().startsWith("delete")
                || name.method().getName().startsWith("remove");
        return arguments -> {
            Object value = arguments[index];
            if (value == null) {
                throw new ShardKeyException(
                        name + " was called with null for its parameter with @ShardKey, which tells no"
                                + " shard. Pass a value. Nothing was sent.");
            }
            return MethodRoute.byValue(rule, value, write);
        };
    }

    private ShardRule rule(Class<?> entity, EntityShards shards) {
        if (references == void.class) {
            return shards.byKey(entity).orElseGet(() -> entityOnly(entity, shards));
        }
        if (!shards.isSharded(references)) {
            throw new ShardedIdMappingException("The parameter with @ShardKey of " + name + " refers to "
                    + references.getName() + ", which has no @ShardedId. Name the sharded entity whose id it is.");
        }
        return shards.byId();
    }

    private ShardRule entityOnly(Class<?> entity, EntityShards shards) {
        return value -> {
            if (shards.isSharded(value.getClass())) {
                return shards.byId().shardOf(value);
            }
            throw new ShardKeyException(name + " has a parameter with @ShardKey, but " + entity.getSimpleName()
                    + " has no shard key. If the value is a sharded id, say of which entity: @ShardKey(references = "
                    + entity.getSimpleName() + ".class). Nothing was sent.");
        };
    }
}
