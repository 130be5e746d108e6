package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.RepositoryInformation;

/** Runs calls of a global entity's repository in the scope of the global database. Called before the transaction interceptor. */
final class GlobalRoutingInterceptor implements MethodInterceptor {
    private final RepositoryInformation repository;

    GlobalRoutingInterceptor(RepositoryInformation repository) {
        this.repository = repository;
        for (Method method : repository.getRepositoryInterface().getMethods()) {
            boolean hasKey = Arrays.stream(method.getParameters()).anyMatch(GlobalRoutingInterceptor::isShardKey);
            if (hasKey || AnnotatedElementUtils.hasAnnotation(method, AllShards.class)) {
                throw new ShardedIdMappingException(new MethodName(repository.getRepositoryInterface(), method)
                        + " has " + (hasKey ? "a parameter with @ShardKey" : "@AllShards") + ", but "
                        + repository.getDomainType().getName()
                        + " is global: it is in no shard. Remove the annotation, or give the entity's id @ShardedId.");
            }
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
        try (ShardContext.Scope scope = ShardContext.open(Target.global())) {
            return call.proceed();
        }
    }

    /** Default methods and fragments of the application call methods that are routed themselves, perhaps of sharded entities. */
    private boolean routesItself(Method method) {
        return method.isDefault()
                || (!repository.isBaseClassMethod(method)
                        && !Repository.class.isAssignableFrom(method.getDeclaringClass()));
    }
}
