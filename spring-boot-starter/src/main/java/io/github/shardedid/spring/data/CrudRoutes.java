package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Routes of methods that Spring Data implements, such as {@code findById} and {@code save}. */
record CrudRoutes(Class<?> entity, EntityShards shards) {
    /** The call proceeds unchanged: the statement runs in the shard that its condition requires, or in the scope. */
    private static final MethodRoute BY_STATEMENT = new MethodRoute.ByStatement(RouteKind.SHARDS_OF_CONDITION);

    /** The route of a method that Spring Data implements. */
    MethodRoute of(MethodName name) {
        Method method = name.method();
        Class<?> first = method.getParameterCount() == 0 ? void.class : method.getParameterTypes()[0];
        boolean several = Iterable.class.isAssignableFrom(first);
        boolean idNamesShard = shards.idNamesShard(entity);
        SeveralValues values = new SeveralValues(name, entity, shards);
        return switch (method.getName()) {
            case "findById", "existsById", "getReferenceById", "getById", "getOne" ->
                idNamesShard ? byId(false) : byScope(name);
            case "deleteById" -> idNamesShard ? byId(true) : byScope(name);
            // Hibernate routes each row by its id, or a new row by its shard key, and refuses several shards at flush.
            case "save", "saveAndFlush", "flush" -> MethodRoute.BY_ROW;
            case "saveAll", "saveAllAndFlush" -> byRow(values::save);
            case "delete" -> first.isAssignableFrom(entity) ? byEntity(idNamesShard) : BY_STATEMENT;
            case "update" -> BY_STATEMENT;
            case "deleteAll", "deleteAllInBatch" -> several ? byRow(values::delete) : everyShard(name);
            case "findAllById" -> idNamesShard ? MethodRoute.of(RouteKind.SHARDS_OF_LIST, values::find) : byScope(name);
            case "deleteAllById", "deleteAllByIdInBatch" -> idNamesShard ? byRow(values::delete) : byScope(name);
            // Of Spring Data Envers. The queries of an AuditReader by the id are routed themselves.
            case "findRevision", "findRevisions", "findLastChangeRevision" ->
                idNamesShard ? MethodRoute.OWN_CODE : byScope(name);
            default -> other(name, first);
        };
    }

    private MethodRoute other(MethodName name, Class<?> first) {
        if (Implementations.accepts(first)) {
            return BY_STATEMENT;
        }
        // A default method of Spring Data calls others of the repository.
        return name.method().isDefault() ? MethodRoute.OWN_CODE : everyShard(name);
    }

    private static MethodRoute everyShard(MethodName name) {
        return new MethodRoute.NeedsScope(name, "it concerns rows of every shard.");
    }

    private static MethodRoute byRow(MethodRoute route) {
        return MethodRoute.of(RouteKind.SHARD_OF_EACH_ROW, route);
    }

    /** Spring Data looks for the row by its id. */
    private MethodRoute byEntity(boolean idNamesShard) {
        return idNamesShard ? MethodRoute.BY_ROW : byRow(byId(true));
    }

    private static MethodRoute byScope(MethodName name) {
        return new MethodRoute.NeedsScope(name, "the id names no shard, only the shard key does.");
    }

    private MethodRoute byId(boolean write) {
        return arguments -> {
            @Nullable Object id = arguments[0]; // or an entity
            // Spring Data refuses null with a clear message.
            return id == null
                    ? CallTarget.AS_IT_IS
                    : CallTarget.to(MethodRoute.shardOf(shards.byId(entity), id, write));
        };
    }
}
