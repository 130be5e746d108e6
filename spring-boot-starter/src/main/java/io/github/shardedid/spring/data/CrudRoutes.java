package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.spring.data.report.RouteKind;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Routes of methods that Spring Data implements, such as {@code findById} and {@code save}. */
record CrudRoutes(Class<?> entity, EntityShards shards) {
    /** The route of a method of the base class; the given route if the call does not determine a shard. */
    MethodRoute of(MethodName name, MethodRoute inScope) {
        Method method = name.method();
        Class<?> first = method.getParameterCount() == 0 ? void.class : method.getParameterTypes()[0];
        boolean several = Iterable.class.isAssignableFrom(first);
        SeveralValues values = new SeveralValues(name, entity, shards);
        return switch (method.getName()) {
            case "findById", "existsById", "getReferenceById", "getById", "getOne" -> byId(false);
            case "deleteById" -> byId(true);
            // Hibernate routes each row by its id, or a new row by its shard key, and refuses several shards at flush.
            case "save", "saveAndFlush", "flush" -> MethodRoute.BY_ROW;
            case "saveAll", "saveAllAndFlush" -> byRow(values::save);
            case "delete" -> first.isAssignableFrom(entity) ? MethodRoute.BY_ROW : inScope;
            case "deleteAll", "deleteAllInBatch" -> several ? byRow(values::delete) : inScope;
            case "findAllById" -> MethodRoute.of(RouteKind.SHARDS_OF_LIST, values::find);
            case "deleteAllById", "deleteAllByIdInBatch" -> byRow(values::delete);
            default -> ConditionRoute.accepts(first) ? new ConditionRoute<>(name, entity, shards, inScope) : inScope;
        };
    }

    private static MethodRoute byRow(MethodRoute route) {
        return MethodRoute.of(RouteKind.SHARD_OF_EACH_ROW, route);
    }

    private MethodRoute byId(boolean write) {
        return arguments -> {
            @Nullable Object id = arguments[0];
            // Spring Data refuses null with a clear message.
            return id == null ? CallTarget.AS_IT_IS : MethodRoute.byValue(shards.byId(entity), id, write);
        };
    }
}
