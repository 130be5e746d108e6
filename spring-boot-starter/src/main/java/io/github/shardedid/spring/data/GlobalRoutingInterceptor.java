package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.spring.data.Implementations.Implementation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.repository.core.RepositoryInformation;

/** Runs calls of a global entity's repository in the scope of the global database. Called last, as a CallScope is. */
final class GlobalRoutingInterceptor implements MethodInterceptor {
    private final RepositoryInformation repository;
    private final EntityShards shards;
    private final DeclaredQueries declared;
    private final Implementations implementations;

    GlobalRoutingInterceptor(RepositoryInformation repository, EntityShards shards, DeclaredQueries declared) {
        this.repository = repository;
        this.shards = shards;
        this.declared = declared;
        this.implementations = new Implementations(repository);
    }

    /** The routes of the methods that the application declares. */
    List<RepositoryRoutes.Route> report() {
        return Arrays.stream(repository.getRepositoryInterface().getMethods())
                .filter(method -> !method.getDeclaringClass().getName().startsWith("org.springframework.data."))
                .map(this::report)
                .toList();
    }

    private RepositoryRoutes.Route report(Method method) {
        MethodName name = new MethodName(repository.getRepositoryInterface(), method);
        String problem = problem(name);
        RouteKind kind = routesItself(method) ? RouteKind.OWN_CODE : RouteKind.GLOBAL;
        return new RepositoryRoutes.Route(name.toString(), problem == null ? kind : RouteKind.REFUSED, problem);
    }

    private @Nullable String problem(MethodName name) {
        boolean hasKey = Arrays.stream(name.method().getParameters()).anyMatch(GlobalRoutingInterceptor::isShardKey);
        if (hasKey || AnnotatedElementUtils.hasAnnotation(name.method(), AllShards.class)) {
            return name + " has " + (hasKey ? "a parameter with @ShardKey" : "@AllShards") + ", but "
                    + repository.getDomainType().getName()
                    + " is global: it is in no shard. Remove the annotation, or give the entity's id @ShardedId.";
        }
        try {
            declared.of(name.method()).ifPresent(query -> query.uses(name.method(), repository, shards));
            return null;
        } catch (ForeignShardException problem) {
            return name.refused(problem);
        }
    }

    private static boolean isShardKey(Parameter parameter) {
        return parameter.isAnnotationPresent(ShardKey.class);
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
