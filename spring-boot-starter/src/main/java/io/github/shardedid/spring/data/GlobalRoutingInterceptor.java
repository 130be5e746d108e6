package io.github.shardedid.spring.data;

import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.Implementations.Implementation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.data.repository.core.RepositoryInformation;

/** Runs calls of a global entity's repository in the scope of the global database. Called last, as a CallScope is. */
final class GlobalRoutingInterceptor implements MethodInterceptor {
    private final Class<?> repository;
    private final Implementations implementations;

    GlobalRoutingInterceptor(RepositoryInformation repository) {
        this.repository = repository.getRepositoryInterface();
        this.implementations = new Implementations(repository);
    }

    /** The routes of the methods that the application declares. */
    List<RepositoryRoutes.Route> report() {
        return Arrays.stream(repository.getMethods())
                .filter(method -> !method.getDeclaringClass().getName().startsWith("org.springframework.data."))
                .map(method -> new RepositoryRoutes.Route(
                        new MethodName(repository, method).toString(),
                        routesItself(method) ? RouteKind.OWN_CODE : RouteKind.GLOBAL,
                        null))
                .toList();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        if (routesItself(call.getMethod())) {
            return call.proceed();
        }
        try (ShardContext.Scope scope = RoutedScope.open(Target.global())) {
            return call.proceed();
        }
    }

    /** Default methods and fragments of the application call methods that are routed themselves, perhaps of sharded entities. */
    boolean routesItself(Method method) {
        return implementations.of(method) == Implementation.OWN_CODE;
    }
}
