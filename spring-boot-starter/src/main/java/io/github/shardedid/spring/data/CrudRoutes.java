package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The routes of the methods that Spring Data itself implements, such as {@code findById} and {@code save}. */
record CrudRoutes(Class<?> entity, EntityShards shards) {
    /** The route of a method of the base class; the given one where the call tells no shard. */
    MethodRoute of(MethodName name, MethodRoute inScope) {
        Method method = name.method();
        Class<?> first = method.getParameterCount() == 0 ? void.class : method.getParameterTypes()[0];
        boolean several = Iterable.class.isAssignableFrom(first);
        SeveralValues values = new SeveralValues(name, shards);
        return switch (method.getName()) {
            case "findById", "existsById", "getReferenceById", "getById", "getOne" -> byId(false);
            case "deleteById" -> byId(true);
            // Hibernate routes each row by its id, or a new one by its shard key; several shards are refused at flush.
            case "save", "saveAndFlush", "flush" -> MethodRoute.AS_IT_IS;
            case "saveAll", "saveAllAndFlush" -> values::save;
            case "delete" -> first.isAssignableFrom(entity) ? MethodRoute.AS_IT_IS : inScope;
            case "deleteAll", "deleteAllInBatch" -> several ? values::delete : inScope;
            case "findAllById" -> values::find;
            case "deleteAllById", "deleteAllByIdInBatch" -> values::delete;
            default -> inScope;
        };
    }

    private MethodRoute byId(boolean write) {
        return arguments -> {
            @Nullable Object id = arguments[0];
            // Spring Data's own complaint about null is clear.
            return id == null ? Destination.AS_IT_IS : MethodRoute.byValue(shards.byId(), id, write);
        };
    }
}
