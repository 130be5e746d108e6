package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.routing.ShardContext;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.annotation.QueryAnnotation;
import org.springframework.data.jpa.repository.query.Procedure;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.RepositoryInformation;

/** The routes of one repository's methods, found once, when the repository is made. Safe for use by several threads. */
final class MethodRoutes {
    private final RepositoryInformation repository;
    private final EntityShards shards;
    private final Predicate<String> namedQueries;
    private final Map<Method, MethodRoute> routes = new ConcurrentHashMap<>();

    /**
     * Finds the routes of all methods.
     *
     * @param namedQueries tells whether a name is that of a named query, which counts more than the method's name
     */
    MethodRoutes(RepositoryInformation repository, EntityShards shards, Predicate<String> namedQueries) {
        this.repository = repository;
        this.shards = shards;
        this.namedQueries = namedQueries;
        for (Method method : repository.getRepositoryInterface().getMethods()) {
            of(method);
        }
    }

    MethodRoute of(Method method) {
        return routes.computeIfAbsent(method, this::find);
    }

    MethodName name(Method method) {
        return new MethodName(repository.getRepositoryInterface(), method);
    }

    private MethodRoute find(Method method) {
        if (method.getDeclaringClass() == Object.class) {
            return MethodRoute.AS_IT_IS;
        }
        MethodName name = name(method);
        Optional<ShardKeyParameter> parameter = ShardKeyParameter.in(name);
        if (AnnotatedElementUtils.hasAnnotation(method, AllShards.class)) {
            return AllShardsRoute.of(name, parameter.isPresent());
        }
        if (parameter.isPresent()) {
            return parameter.get().route(repository.getDomainType(), shards);
        }
        if (AnnotatedElementUtils.hasAnnotation(method, QueryAnnotation.class)
                || AnnotatedElementUtils.hasAnnotation(method, Procedure.class)) {
            return inScope(name, "a declared query has no parameter with @ShardKey.");
        }
        if (repository.isBaseClassMethod(method)) {
            return new CrudRoutes(repository.getDomainType(), shards)
                    .of(name, inScope(name, "it concerns rows of every shard."));
        }
        // Default methods and the application's own fragments call what routes itself.
        return method.isDefault() || !Repository.class.isAssignableFrom(method.getDeclaringClass())
                ? MethodRoute.AS_IT_IS
                : ofQuery(name);
    }

    private MethodRoute ofQuery(MethodName name) {
        String query =
                repository.getDomainType().getSimpleName() + "." + name.method().getName();
        if (namedQueries.test(query)) {
            return inScope(name, "the named query " + query + " has no parameter with @ShardKey.");
        }
        return new DerivedQueryRoutes(repository, shards)
                .of(name)
                .orElseGet(() -> inScope(name, "its name fixes neither the id nor the shard key."));
    }

    private static MethodRoute inScope(MethodName name, String why) {
        return arguments -> {
            if (ShardContext.current().isEmpty() && ShardContext.currentSet().isEmpty()) {
                throw name.unroutable(why);
            }
            return Destination.AS_IT_IS;
        };
    }
}
